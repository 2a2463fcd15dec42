// Watches: Mirrors, Revisions that have pods, the configs that they choose.
// Writes:  copies of them on the Mirror's cluster; the Mirror's status.
// Never:   anything that is on that cluster already, and no removal.
import { Cluster, Mirror, Revision } from "@chaski/api";
import { ConfigMap, keyOf, type KubeObject, resourceName, Secret } from "@chaski/kube";
import {
  type AnyController,
  type Caches,
  defineController,
  type Gathering,
  MANAGED_BY_LABEL,
  type WakeContext,
  wake,
  withoutContent,
} from "@chaski/runtime";
import { decideMirror, type MirrorCluster, type MirrorWorld } from "../engine/decide-mirror.ts";
import { ExternalSecret } from "../objects/kinds.ts";
import { isInFleet } from "./cluster-source.ts";
import { seenOn } from "./contact.ts";
import { MIRROR_CONTROLLER, mirroredRevisions } from "./mirrored-revisions.ts";
import { ownedKinds } from "./owned-kinds.ts";
import { revisionCache } from "./revisions.ts";

const CONFIGS = [Secret, ConfigMap, ExternalSecret].map(resourceName);

export function mirrorController(syncPeriodMs: number): AnyController {
  return defineController({
    name: MIRROR_CONTROLLER,
    kind: Mirror,
    cache: { resyncMs: syncPeriodMs },
    owns: [
      ...ownedKinds.filter(({ kind }) => CONFIGS.includes(resourceName(kind))),
      { kind: Revision, on: "remotes", cache: { labelSelector: MANAGED_BY_LABEL }, isNeverRemoved: true },
    ],
    wakeOn: [
      wake<Revision>({ kind: Revision, on: "delivery", cache: revisionCache, keys: everyMirror }),
      wake<Cluster>({ kind: Cluster, on: "delivery", keys: everyMirror, isRelevant: isOtherCluster }),
      ...[Secret, ConfigMap].map((kind) =>
        wake<KubeObject>({ kind, on: "delivery", keys: everyMirror, cache: { transform: withoutContent } }),
      ),
    ],
    wakeOnCluster: ({ caches }) => mirrorKeys(caches),
    gather: gatherMirror,
    decide: decideMirror,
  });
}

function gatherMirror(gathering: Gathering<Mirror>): MirrorWorld {
  const { object: mirror, nowMs, caches, results } = gathering;
  const revisions = mirroredRevisions(caches, mirror);
  const names = [...new Set(revisions.map(({ cluster }) => cluster))].toSorted();
  return { nowMs, mirror, results, revisions, clusters: names.flatMap((name) => clusterOf(name, gathering)) };
}

function clusterOf(name: string, gathering: Gathering<Mirror>): readonly MirrorCluster[] {
  const cluster = gathering.caches.of(Cluster).get(name);
  return cluster && isInFleet(cluster) ? [seenOn(name, gathering)] : [];
}

function everyMirror(_object: KubeObject, { caches }: WakeContext): readonly string[] {
  return mirrorKeys(caches);
}

function mirrorKeys(caches: Caches): readonly string[] {
  return caches
    .of(Mirror)
    .list()
    .map(({ metadata }) => keyOf(metadata));
}

function isOtherCluster(old: Cluster, cluster: Cluster): boolean {
  return old.metadata.generation !== cluster.metadata.generation;
}
