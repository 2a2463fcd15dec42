// One pass over a release that goes on (§4.3): incarnations, states, traffic, what each cluster gets.
import { releaseKeys, Revision } from "@chaski/api";
import { isEqualJson, refTo } from "@chaski/kube";
import { type EventNote, type Gate, GATES_MAX, type ObjectPatch } from "@chaski/runtime/decision";
import { rampingTag } from "./collections.ts";
import type { Splitting } from "./cluster-split.ts";
import { rememberAlerts } from "./alerts.ts";
import { type Drain, trackDrain } from "./draining.ts";
import type { Surroundings } from "./facts.ts";
import { failureGates } from "./failure-gates.ts";
import type { Fleet, FleetCluster } from "./fleet.ts";
import { unmarked } from "./garbage.ts";
import { gatesOf } from "./gates.ts";
import { type Incarnation, incarnationsOf, savedEntries } from "./incarnation.ts";
import { measureLatencies } from "./latencies.ts";
import { judgeClaims } from "./judges.ts";
import { namesakeClaims } from "./namesakes.ts";
import { missingKindGates } from "./needed-kinds.ts";
import type { Outcome } from "./outcome.ts";
import { isAppliedNow, planApp, planRouting } from "./plan-app.ts";
import { planCluster, type Planned } from "./plan-cluster.ts";
import { podGates } from "./pod-gates.ts";
import { rebuildLost } from "./rebuild.ts";
import { recommissioned } from "./recommission.ts";
import { entriesOf, releasedClaim, splitClaim, stalledClaim, statusOf } from "./report.ts";
import { refusalEvents, resultGates } from "./results.ts";
import { findRollback } from "./rollback.ts";
import { reportRollback } from "./rollback-report.ts";
import { type Size, sizeOn, type Sizing } from "./sizing.ts";
import { shiftTraffic, type Traffic, withoutBase } from "./traffic.ts";
import { sinceOf } from "./time-text.ts";
import { tick } from "./transition.ts";
import { wakeAtMs } from "./wake.ts";
import type { ReleaseWorld } from "./world.ts";

export function decidePass(world: ReleaseWorld, fleet: Fleet): Outcome {
  const scene = sceneOf(world, fleet);
  const moved = moveOn(scene);
  const { incarnations, traffic } = moved;
  const { app, known, planned } = planClusters(scene, moved);
  const clusters = planned.map(({ plan }) => plan);

  const around = { ...scene.around, incarnations };
  const told = reportRollback({
    before: world.releaseManager.status?.rollback,
    rollback: traffic.rollback,
    incarnations,
    fleet,
    nowMs: world.nowMs,
  });
  const refusals = resultGates(world);
  const gates = [
    ...failureGates(incarnations),
    ...told.gates,
    ...refusals,
    ...podGates(incarnations, fleet, app.namespace),
    ...clusterGates(known, planned, incarnations),
    ...missingKindGates(app, clusters),
    // By what is decided now: the next pass, which may come before any route was written, has nothing new to say.
    ...gatesOf(incarnations, { around, holding: { ...scene.holding, incarnations }, traffic }),
  ].slice(0, GATES_MAX);
  const revisions = entriesOf(told.record ? incarnations : incarnations.map(withoutBase));
  const routed = { fleet, hasRoutes: app.routing.ports.length > 0 };
  const hasChanged = !isEqualJson(revisions, world.releaseManager.status?.revisions ?? []);
  const wake = hasChanged ? world.nowMs : wakeAtMs(around, incarnations, [told.wakeAtMs]);
  return {
    status: statusOf(world, {
      revisions,
      rollback: told.record,
      orphanedSince: undefined,
      claims: [
        releasedClaim(incarnations, routed, gates),
        splitClaim(incarnations, routed),
        stalledClaim(undefined),
        ...namesakeClaims(world),
        ...judgeClaims(world, incarnations),
      ],
    }),
    gates,
    events: [...moved.events, ...told.events, ...refusalEvents(refusals, world), ...releaseEvents(world, incarnations)],
    patches: deletablePatches(world, incarnations),
    ...(wake === undefined ? {} : { wakeAtMs: wake }),
    plan: { app, clusters },
    entries: {},
  };
}

interface Moved {
  /** What the shift was decided on. */
  readonly traffic: Traffic;
  readonly incarnations: readonly Incarnation[];
  readonly events: readonly EventNote[];
}

/** States, then traffic, then what drains because of it. */
function moveOn(scene: Scene): Moved {
  const { world, fleet, drain } = scene.around;
  const { incarnations: ticked, events } = tick(scene.around);
  const rollback = findRollback(ticked);
  const traffic: Traffic = { ...scene, world, fleet, rollback, incarnations: ticked };
  const shifted = shiftTraffic(traffic);
  const incarnations = (rollback ? shifted : recommissioned(shifted)).map((incarnation) =>
    trackDrain(incarnation, fleet, drain),
  );
  return { traffic, incarnations, events };
}

function planClusters({ around, saved }: Scene, { incarnations, traffic: { rollback } }: Moved) {
  const { world, fleet, drain } = around;
  const sizing: Sizing = {
    fleet,
    flags: world.flags,
    target: world.releaseManager.spec.target,
    drain,
    saved,
    rampingTag: rampingTag(incarnations),
    takerTag: rollback?.taker?.tag,
  };
  const app = planApp(world, incarnations, sizing);
  const splitting: Splitting = { incarnations, rollback, sizing, requestedOn: requestedReplicas(sizing) };
  // Of a cluster that was never seen nobody knows what is there: whatever were planned would rest on its absence.
  const known = fleet.clusters.filter(({ isKnown }) => isKnown);
  return { app, known, planned: known.map((cluster) => planCluster(cluster, app, splitting)) };
}

type Scene = ReturnType<typeof sceneOf>;

/** Everything as it stands before anything moves. */
export function sceneOf(world: ReleaseWorld, fleet: Fleet) {
  const built = rebuildLost(world, fleet, incarnationsOf(world, fleet));
  const hasRoutes = planRouting(world, built).ports.length > 0;
  const drain: Drain = {
    nowMs: world.nowMs,
    drainMs: world.flags.drainMs,
    hasRoutes: hasRoutes || fleet.clusters.some(({ world: { route } }) => route !== undefined),
  };
  const incarnations = built.map((incarnation) =>
    rememberAlerts(
      measureLatencies(trackDrain(incarnation, fleet, drain), world.nowMs),
      world.evidence[incarnation.tag],
    ),
  );
  const around: Surroundings = { world, fleet, drain, incarnations };
  return {
    around,
    saved: savedEntries(world),
    holding: { world, fleet, incarnations, hasRoutes },
    rampingTag: rampingTag(incarnations),
  };
}

function requestedReplicas(sizing: Sizing): Splitting["requestedOn"] {
  return (cluster: FleetCluster, incarnation: Incarnation) => {
    if (!isAppliedNow(incarnation)) return 0;
    const size: Size = sizeOn(cluster, incarnation, sizing);
    return Math.max(size.bounds?.min ?? 0, size.scaleTo ?? size.initialReplicas);
  };
}

function clusterGates(
  clusters: readonly FleetCluster[],
  planned: readonly Planned[],
  incarnations: readonly Incarnation[],
): readonly Gate[] {
  return clusters.flatMap(({ name, factor }, index): readonly Gate[] => {
    const waiting = planned[index]?.split?.waiting ?? [];
    return [
      ...(factor === undefined ? [factorGate(name)] : []),
      ...waiting.map(({ tag, ready, needed }) => ({
        name: "ClusterReady",
        verdict: "waiting" as const,
        subject: tag,
        cluster: name,
        value: String(ready),
        threshold: String(needed),
        ...sinceOf(incarnations.find((incarnation) => incarnation.tag === tag)?.status.lastUpdated),
        message: `cluster ${name} keeps its split until its own pods of ${tag} are ready`,
        unblock: `the pods of ${tag} become ready on ${name}`,
      })),
    ];
  });
}

function factorGate(cluster: string): Gate {
  const message = `the scaling factor of cluster ${cluster} can't be read: nothing is scaled there`;
  return {
    name: "ScalingFactor",
    verdict: "failed",
    cluster,
    message,
    unblock: "correct scalingFactorString of the Cluster",
  };
}

/** Told once, when a revision gets its first traffic. */
function releaseEvents({ releaseManager }: ReleaseWorld, incarnations: readonly Incarnation[]): readonly EventNote[] {
  const before = new Map((releaseManager.status?.revisions ?? []).map(({ tag, peakPercent }) => [tag, peakPercent]));
  return incarnations
    .filter(({ tag, status }) => status.currentPercent > 0 && (before.get(tag) ?? 0) === 0)
    .map(({ tag, status }) => ({
      type: "Normal",
      reason: "FirstTraffic",
      message: `${tag} gets ${status.currentPercent} % of the traffic`,
    }));
}

/** Garbage is marked; the Revision goes when every target has marked it. */
function deletablePatches(world: ReleaseWorld, incarnations: readonly Incarnation[]): readonly ObjectPatch[] {
  const { target } = world.releaseManager.spec;
  return unmarked(incarnations, target, world.nowMs).flatMap(({ revision }) => {
    if (!revision) return [];
    const patch = { metadata: { labels: { [releaseKeys.deletableLabel(target)]: "true" } } };
    return [{ ref: refTo(Revision, revision), resourceVersion: revision.metadata.resourceVersion ?? "", patch }];
  });
}
