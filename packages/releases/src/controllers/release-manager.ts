// Watches: ReleaseManagers, their Revisions, Clusters, FaultInjectors and configs; on every cluster what a release has there.
// Writes:  on every cluster the objects of the release; the ReleaseManager's status and finalizer; labels of Revisions
//          that nothing uses any more.
// Never:   pods, nodes, anything in a namespace that is not the release's, service levels apart.
import { Cluster, FaultInjector, ReleaseManager, releaseKeys, Revision } from "@chaski/api";
import { isEqualJson, keyOf, type Kind, type KubeObject, parseKey, ReplicaSet } from "@chaski/kube";
import {
  type AnyController,
  type Caches,
  defineController,
  type WakeContext,
  type WakeRule,
  wake,
} from "@chaski/runtime";
import { decideRelease, stepRelease } from "../engine/decide-release.ts";
import { decidesAhead } from "../engine/decides-ahead.ts";
import { DestinationRule, VirtualService } from "../objects/kinds.ts";
import { configWakes } from "./config-sources.ts";
import { isBoundTo } from "./fleet-members.ts";
import { gatherRelease, type ReleaseSettings } from "./gather-release.ts";
import { liveRouteOf } from "./live-route.ts";
import { cacheOf, ownedKinds } from "./owned-kinds.ts";
import { releaseKeyOf, revisionCache, releaseNameOf } from "./revisions.ts";

export interface ReleaseManagerOptions {
  readonly concurrency: number;
  /** How often everything is looked at although nothing happened. */
  readonly syncPeriodMs: number;
}

/** Pods on several clusters become ready one after the other; what has to be acted upon is told "now". */
const COALESCE_MS = 200;

export const RELEASE_MANAGER_CONTROLLER = "releases.release-manager";

export function releaseManagerController(
  settings: ReleaseSettings,
  { concurrency, syncPeriodMs }: ReleaseManagerOptions,
): AnyController {
  return defineController({
    name: RELEASE_MANAGER_CONTROLLER,
    kind: ReleaseManager,
    cache: { resyncMs: syncPeriodMs },
    owns: ownedKinds,
    wakeOn: [
      wake<Revision>({
        kind: Revision,
        on: "delivery",
        cache: revisionCache,
        keys: releasesOfRevision,
        isRelevant: isOtherIntent,
        urgencyOf: () => "now",
      }),
      wake<ReleaseManager>({
        kind: ReleaseManager,
        on: "delivery",
        keys: ({ metadata }) => [keyOf(metadata)],
        isRelevant: isOtherIntent,
        urgencyOf: () => "now",
      }),
      wake<Cluster>({ kind: Cluster, on: "delivery", keys: releasesOfFleet, isRelevant: isOtherIntent }),
      wake<FaultInjector>({ kind: FaultInjector, on: "delivery", keys: releasesOfInjector }),
      wake<ReleaseManager>({ kind: ReleaseManager, on: "delivery", keys: namesakes, isRelevant: () => false }),
      ...configWakes,
      observedOnClusters(ReplicaSet, isWhole),
      observedOnClusters(VirtualService, routesAlike),
      observedOnClusters(DestinationRule),
    ],
    wakeOnCluster: releasesOfCluster,
    gather: gatherRelease(settings),
    decide: decideRelease,
    ahead: { mayFollow: decidesAhead, step: stepRelease },
    concurrency,
    coalesceMs: COALESCE_MS,
  });
}

function releasesOfRevision(revision: Revision): readonly string[] {
  return (revision.spec.targets ?? []).map(({ name }) => releaseKeyOf(revision, name));
}

/** What another operator made there is in the namespace that is named like the ReleaseManager. */
function observedOnClusters(kind: Kind, isDone?: IsDone): WakeRule {
  return wake<KubeObject>({
    kind,
    on: "remotes",
    cache: cacheOf(kind),
    keys: ({ metadata }, { cluster }) => [keyOf({ ...parseKey(cluster), name: metadata.namespace ?? "" })],
    ...(isDone && { urgencyOf: urgencyWhen(kind, isDone) }),
  });
}

type IsDone = (object: Readonly<KubeObject>, changed: Readonly<KubeObject>) => boolean;

/** What all clusters are waited for is acted upon when the last of them has it; until then more will follow. */
function urgencyWhen(kind: Kind, isDone: IsDone): NonNullable<WakeRule["urgencyOf"]> {
  return (changed, _old, { fleet }) => {
    const { namespace = "", name } = changed.metadata;
    const [, ...remotes] = fleet.clusters;
    const all = remotes.flatMap(({ caches }) => caches.of(kind).inNamespace(namespace).get(name) ?? []);
    return all.every((object) => isDone(object, changed)) ? "now" : "soon";
  };
}

function isWhole(replicaSet: Readonly<KubeObject>): boolean {
  const { spec, status } = replicaSet as Readonly<ReplicaSet>;
  return (status?.availableReplicas ?? 0) === (spec?.replicas ?? 0);
}

function routesAlike(route: Readonly<KubeObject>, changed: Readonly<KubeObject>): boolean {
  return isEqualJson(liveRouteOf(route).weights, liveRouteOf(changed).weights);
}

function releasesOfFleet({ metadata }: Cluster, { caches }: WakeContext): readonly string[] {
  const fleet = metadata.labels?.[releaseKeys.labels.fleet];
  return inNamespace(caches, metadata)
    .filter(({ spec }) => spec.fleet === fleet)
    .map((release) => keyOf(release.metadata));
}

/** The status of a Revision or Cluster is our own report. */
function isOtherIntent({ metadata: old }: KubeObject, { metadata }: KubeObject): boolean {
  return (
    old.generation !== metadata.generation ||
    old.deletionTimestamp !== metadata.deletionTimestamp ||
    !isEqualJson([old.labels, old.annotations], [metadata.labels, metadata.annotations])
  );
}

function releasesOfCluster(context: WakeContext): readonly string[] {
  const cluster = context.caches.of(Cluster).get(context.cluster);
  return cluster ? releasesOfFleet(cluster, context) : [];
}

function releasesOfInjector(injector: FaultInjector, { caches }: WakeContext): readonly string[] {
  return inNamespace(caches, injector.metadata)
    .filter((release) => isBoundTo(injector, release))
    .map((release) => keyOf(release.metadata));
}

/** Who waits for a namespace that another ReleaseManager has looks again when that one goes. */
function namesakes({ metadata, spec }: ReleaseManager, { caches }: WakeContext): readonly string[] {
  const name = releaseNameOf(spec.app, spec.target);
  return inNamespace(caches, metadata)
    .filter((other) => other.metadata.uid !== metadata.uid && releaseNameOf(other.spec.app, other.spec.target) === name)
    .map((other) => keyOf(other.metadata));
}

function inNamespace(caches: Caches, { namespace = "" }: KubeObject["metadata"]): readonly ReleaseManager[] {
  return caches.of(ReleaseManager).inNamespace(namespace).list();
}
