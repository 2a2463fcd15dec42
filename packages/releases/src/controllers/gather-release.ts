import { type Cluster, type IncarnationStatus, ReleaseManager, type Revision } from "@chaski/api";
import { keyOf, ReplicaSet, resourceName } from "@chaski/kube";
import type { Caches, Gathering } from "@chaski/runtime";
import type { Calendar } from "../engine/schedule/calendar.ts";
import type { ClusterWorld, Evidence, ReleaseFlags, ReleaseWorld } from "../engine/world.ts";
import type { Judge } from "../evidence/judge.ts";
import { DestinationRule, optionalKinds, VirtualService } from "../objects/kinds.ts";
import type { LatePods } from "../pods/late-pods.ts";
import { configSources } from "./config-sources.ts";
import { contactOf } from "./contact.ts";
import { clustersOfFleet, injectorsOf } from "./fleet-members.ts";
import { withTroubles } from "./gather-pods.ts";
import { liveRouteOf, subsetsOf } from "./live-route.ts";
import { releaseNameOf, revisionsOf } from "./revisions.ts";

export interface ReleaseSettings {
  readonly flags: ReleaseFlags;
  readonly calendars: readonly Calendar[];
  readonly judges: readonly Judge[];
  /** Unless given, nobody knows why pods are not ready. */
  readonly pods?: Pick<LatePods, "troublesOf">;
}

export function gatherRelease(settings: ReleaseSettings): (gathering: Gathering<ReleaseManager>) => ReleaseWorld {
  return (gathering) => {
    const { object: releaseManager, nowMs, caches, results } = gathering;
    const { namespace = "" } = releaseManager.metadata;
    const { target } = releaseManager.spec;
    const revisions = revisionsOf(caches, releaseManager);
    return {
      nowMs,
      releaseManager,
      revisions,
      clusters: clustersOf(gathering, settings),
      faults: injectorsOf(caches, releaseManager).flatMap(({ spec }) => spec.httpPortFaults),
      configs: configSources(caches, namespace, { revisions, target }),
      evidence: evidenceAbout(releaseManager, revisions, settings),
      namesakes: namesakesOf(caches, releaseManager),
      flags: settings.flags,
      calendars: settings.calendars,
      results,
    };
  };
}

function clustersOf(
  gathering: Gathering<ReleaseManager>,
  { pods }: Pick<ReleaseSettings, "pods">,
): readonly ClusterWorld[] {
  const { object, caches } = gathering;
  return clustersOfFleet(caches, object)
    .map((cluster) => clusterWorld(cluster, gathering))
    .map((world) => (pods ? withTroubles(world, object, pods) : world));
}

function clusterWorld(cluster: Cluster, gathering: Gathering<ReleaseManager>): ClusterWorld {
  const name = keyOf(cluster.metadata);
  const view = gathering.clusters.find((each) => each.name === name);
  const contact = contactOf(view);
  if (!view) return { name, cluster, contact, served: [], replicaSets: [], owned: [] };
  const { app, target } = gathering.object.spec;
  const namespace = releaseNameOf(app, target);
  const route = view.caches.of(VirtualService).inNamespace(namespace).get(app);
  const rule = view.caches.of(DestinationRule).inNamespace(namespace).get(app);
  return {
    name,
    cluster,
    contact,
    served: optionalKinds.filter((kind) => view.caches.of(kind).isServed).map(resourceName),
    replicaSets: view.caches.of(ReplicaSet).inNamespace(namespace).list(),
    ...(route ? { route: liveRouteOf(route) } : {}),
    ...(rule ? { subsets: subsetsOf(rule) } : {}),
    owned: gathering.owned(name),
  };
}

/** Asking about what nobody judges any more would keep the judges at work for nothing. */
function evidenceAbout(
  { status, spec }: ReleaseManager,
  revisions: readonly Revision[],
  { judges, flags }: ReleaseSettings,
): Readonly<Record<string, readonly Evidence[]>> {
  const judged = new Set((status?.revisions ?? []).filter((entry) => isJudged(entry, flags)).map(({ tag }) => tag));
  const subjects = revisions.filter((revision) => judged.has(revision.spec.app.tag));
  return Object.fromEntries(
    subjects.map((revision) => [
      revision.spec.app.tag,
      judges.map((judge) => judge.evidenceOf(subjectOf(spec.app, revision))),
    ]),
  );
}

export function subjectOf(app: string, { spec }: Revision): Parameters<Judge["evidenceOf"]>[0] {
  return { app, tag: spec.app.tag, isCanaryOnly: spec.canaryWithSLIRules === true };
}

const JUDGED = ["canarying", "canaryingdatadog", "pendingrelease", "releasing", "released"];
/** The next state has traffic: its judges have to be heard before. */
const ABOUT_TO_BE = ["deployed", "tested"];

/** Until it has won so much traffic that a judge can't fail it any more. */
export function isJudged(
  { state, wonPercent = 0, releaseEligible }: IncarnationStatus,
  { judgeUntilPercent }: ReleaseFlags,
): boolean {
  const current = state.current.toLowerCase();
  const isNext = releaseEligible && ABOUT_TO_BE.includes(current);
  return (isNext || JUDGED.includes(current)) && wonPercent < judgeUntilPercent;
}

/** Others that want the same namespace on the clusters: duplicates too (D-06, D-85). */
function namesakesOf(caches: Caches, { metadata, spec }: ReleaseManager): readonly ReleaseManager[] {
  const name = releaseNameOf(spec.app, spec.target);
  return caches
    .of(ReleaseManager)
    .inNamespace(metadata.namespace ?? "")
    .list()
    .filter((other) => other.metadata.uid !== metadata.uid)
    .filter((other) => releaseNameOf(other.spec.app, other.spec.target) === name);
}
