// What one cluster gets: sizes, what becomes of what leaves, and its route.
import { liveWeights, type Split, type Splitting, splitOn } from "./cluster-split.ts";
import { active, deployedSet } from "./collections.ts";
import { isDrainedOn } from "./draining.ts";
import type { FleetCluster } from "./fleet.ts";
import { type Incarnation, percentOf } from "./incarnation.ts";
import type { AppPlan, ClusterPlan, ClusterRevisionPlan, EndingPlan, RoutePlan } from "../plan/plan.ts";
import { isAppliedNow } from "./plan-app.ts";
import { sizeOn } from "./sizing.ts";
import { isParked } from "./states.ts";

export interface Planned {
  readonly plan: ClusterPlan;
  readonly split: Split | undefined;
}

export function planCluster(cluster: FleetCluster, app: AppPlan, splitting: Splitting): Planned {
  const { incarnations } = splitting;
  const isScalable = cluster.factor !== undefined;
  const applied = isScalable ? incarnations.filter(isAppliedNow) : [];
  const revisions = applied.map(
    (incarnation): ClusterRevisionPlan => ({ tag: incarnation.tag, ...sizeOn(cluster, incarnation, splitting.sizing) }),
  );
  const left = incarnations.filter(({ tag }) => !revisions.some((revision) => revision.tag === tag));
  const isRouted = app.routing.ports.length > 0 && deployedSet(incarnations).length > 0;
  const split = isRouted ? splitOn(cluster, splitting) : undefined;
  const plan: ClusterPlan = {
    cluster: cluster.name,
    spec: cluster.world.cluster.spec,
    served: cluster.world.served,
    revisions,
    endings: left.map((incarnation) => endingOn(cluster, incarnation, splitting)),
    ...(split ? { route: routeOn(cluster, split.weights, splitting) } : {}),
    owned: cluster.world.owned,
  };
  return { plan, split };
}

const RETIRE: ReadonlySet<string> = new Set(["failing", "failed", "retiring", "retired"]);
const DELETE: ReadonlySet<string> = new Set(["deleting", "deleted"]);

/** Pods go only where the live route of this cluster has not named them for the time of the drain. */
function endingOn(cluster: FleetCluster, incarnation: Incarnation, { sizing }: Splitting): EndingPlan {
  const { tag, state = "in an unknown state" } = incarnation;
  const isDeleted = DELETE.has(state);
  if (!isDeleted && !RETIRE.has(state)) return { tag, ending: "keep", because: `${tag} is ${state}` };
  if (percentOf(incarnation) > 0) return { tag, ending: "keep", because: `${tag} still has traffic` };
  if (!isDrainedOn(incarnation, cluster, sizing.drain)) return { tag, ending: "keep", because: `${tag} drains` };
  if (isDeleted) return { tag, ending: "delete", because: `${tag} is ${state}` };
  const hasPods = (incarnation.pods.byCluster[cluster.name]?.desired ?? 0) > 0;
  return { tag, ending: "retire", because: `${tag} is ${state}`, ...(hasPods ? { scaleTo: 0 } : {}) };
}

function routeOn(cluster: FleetCluster, weights: Split["weights"], splitting: Splitting): RoutePlan {
  const { incarnations, rollback } = splitting;
  const live = liveWeights(cluster);
  const isLess = (tag: string): boolean => (weights[tag] ?? 0) < (live[tag] ?? 0);
  return {
    weights: Object.entries(weights)
      .map(([tag, percent]) => ({ tag, percent }))
      .toSorted(byTag),
    tagged: deployedSet(incarnations).flatMap(taggedRoute).toSorted(byTag),
    subsets: subsetsOn(cluster, weights, splitting),
    isUrgent: rollback?.failing.some(({ tag }) => isLess(tag)) ?? false,
  };
}

function taggedRoute({ tag, state, revision }: Incarnation): RoutePlan["tagged"] {
  const header = revision?.spec.tagRoutingHeader;
  return header && !isParked(state) ? [{ tag, header }] : [];
}

/**
 * Whatever this route or the live one names has a subset, and what was named keeps it until it has drained. What deploys
 * has one already: proxies know it before the first route names it, and that route waits for nothing else.
 */
function subsetsOn(
  cluster: FleetCluster,
  weights: Split["weights"],
  { incarnations, sizing }: Splitting,
): RoutePlan["subsets"] {
  const { route, subsets = [] } = cluster.world;
  const draining = subsets.filter((tag) => {
    const incarnation = incarnations.find((candidate) => candidate.tag === tag);
    return incarnation && !isDrainedOn(incarnation, cluster, sizing.drain);
  });
  const named = [...Object.keys(weights), ...(route?.named ?? []), ...Object.keys(liveWeights(cluster)), ...draining];
  const tags = new Set([...active(incarnations).map(({ tag }) => tag), ...named]);
  return [...tags].map((tag) => subsetOf(tag, incarnations)).toSorted(byTag);
}

/** An absent policy and an empty one are the same to people, not to Istio (D-18). */
function subsetOf(tag: string, incarnations: readonly Incarnation[]): RoutePlan["subsets"][number] {
  const policy = incarnations.find((incarnation) => incarnation.tag === tag)?.settings?.target.istio?.trafficPolicy;
  return policy && Object.keys(policy).length > 0 ? { tag, trafficPolicy: policy } : { tag };
}

function byTag(a: { readonly tag: string }, b: { readonly tag: string }): number {
  return a.tag < b.tag ? -1 : Number(a.tag > b.tag);
}
