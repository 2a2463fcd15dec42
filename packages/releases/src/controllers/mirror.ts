// Watches: Mirrors, Revisions that have pods, the configs that they choose.
// Writes:  copies of them on the Mirror's cluster; the Mirror's status.
// Never:   anything that is on that cluster already, and no removal.
import { Cluster, Mirror, Revision } from "@chaski/api";
import {
  ConfigMap,
  keyOf,
  type KubeObject,
  matchesLabels,
  parseLabelSelector,
  resourceName,
  Secret,
} from "@chaski/kube";
import {
  type AnyController,
  type Caches,
  defineController,
  type Gathering,
  MANAGED_BY_LABEL,
  ownerOf,
  type WakeContext,
  wake,
  withoutContent,
} from "@chaski/runtime";
import {
  decideMirror,
  type MirrorCluster,
  type MirroredConfig,
  mirrorFailures,
  type MirrorWorld,
} from "../engine/decide-mirror.ts";
import { ExternalSecret } from "../objects/kinds.ts";
import { isInFleet } from "./cluster-source.ts";
import { configSources, sourceOf } from "./config-sources.ts";
import { contactOf } from "./contact.ts";
import { ownedKinds } from "./owned-kinds.ts";
import { revisionCache } from "./revisions.ts";

export const MIRROR_CONTROLLER = "releases.mirror";
const CONFIGS = [Secret, ConfigMap, ExternalSecret].map(resourceName);

export interface MirrorOptions {
  readonly syncPeriodMs: number;
  /** Called once per app for every attempt that failed. */
  readonly onFailure?: (app: string, mirror: string) => void;
}

export function mirrorController({ syncPeriodMs, onFailure = () => {} }: MirrorOptions): AnyController {
  const count = failureCounter(onFailure);
  return defineController({
    name: MIRROR_CONTROLLER,
    kind: Mirror,
    cache: { resyncMs: syncPeriodMs },
    owns: [
      ...ownedKinds.filter(({ kind }) => CONFIGS.includes(resourceName(kind))),
      { kind: Revision, on: "remotes", cache: { labelSelector: MANAGED_BY_LABEL } },
    ],
    wakeOn: [
      wake<Revision>({ kind: Revision, on: "delivery", cache: revisionCache, keys: everyMirror }),
      wake<Cluster>({ kind: Cluster, on: "delivery", keys: everyMirror, isRelevant: isOtherCluster }),
      ...[Secret, ConfigMap].map((kind) =>
        wake<KubeObject>({ kind, on: "delivery", keys: everyMirror, cache: { transform: withoutContent } }),
      ),
    ],
    wakeOnCluster: ({ caches }) => mirrorKeys(caches),
    gather: (gathering) => {
      const world = gatherMirror(gathering);
      count(world);
      return world;
    },
    decide: decideMirror,
  });
}

function gatherMirror(gathering: Gathering<Mirror>): MirrorWorld {
  const { object: mirror, nowMs, caches, results } = gathering;
  const revisions = caches
    .of(Revision)
    .list()
    .filter(isMirrored)
    .map((revision) => ({
      revision,
      cluster: keyOf({ namespace: revision.metadata.namespace ?? "", name: mirror.spec.clusterName }),
      configs: configsOf(caches, mirror, revision),
    }));
  const names = [...new Set(revisions.map(({ cluster }) => cluster))].toSorted();
  return {
    nowMs,
    mirror,
    results,
    revisions: revisions.toSorted((a, b) => (keyOf(a.revision.metadata) < keyOf(b.revision.metadata) ? -1 : 1)),
    clusters: names.flatMap((name) => clusterOf(name, gathering)),
  };
}

function clusterOf(name: string, { caches, clusters, owned }: Gathering<Mirror>): readonly MirrorCluster[] {
  const cluster = caches.of(Cluster).get(name);
  if (!cluster || !isInFleet(cluster)) return [];
  const view = clusters.find((each) => each.name === name);
  return [{ name, contact: contactOf(view), owned: view ? owned(name) : [] }];
}

/** A copy is not copied on: two clusters that mirror each other would take their own Revisions for copies. */
function isMirrored(revision: Revision): boolean {
  const { spec, status } = revision;
  const hasPods = (status?.targets ?? []).some(({ scale }) => scale.current + scale.desired > 0);
  return hasPods && spec.disableMirroring !== true && ownerOf(revision)?.controller !== MIRROR_CONTROLLER;
}

function configsOf(caches: Caches, mirror: Mirror, revision: Revision): readonly MirroredConfig[] {
  const { namespace = "" } = revision.metadata;
  const chosen = revision.spec.targets.flatMap(({ name: target }) =>
    configSources(caches, namespace, { revisions: [revision], target }),
  );
  const configs = [...chosen, ...additionalConfigs(caches, mirror, revision)].map((source) => {
    const kind = source.kind === "Secret" ? Secret : source.kind === "ConfigMap" ? ConfigMap : ExternalSecret;
    const object = caches.of<KubeObject>(kind).inNamespace(source.namespace).get(source.name);
    return { ...source, annotations: object?.metadata.annotations ?? {} };
  });
  return [...new Map(configs.map((config) => [`${config.kind} ${keyOf(config)}`, config])).values()];
}

/** A selector that can't be read chooses nothing. */
function additionalConfigs(caches: Caches, { spec }: Mirror, { spec: { app } }: Revision) {
  return (spec.additionalConfigSelectors ?? []).flatMap(
    ({ namespace = "", labelSelector = "", appLabelName, tagLabelName }) => {
      const selector = parseLabelSelector(labelSelector);
      if (!selector.ok) return [];
      const isChosen = ({ metadata: { labels = {} } }: KubeObject): boolean =>
        labels[appLabelName] === app.name && labels[tagLabelName] === app.tag && matchesLabels(selector.value, labels);
      return [Secret, ConfigMap].flatMap((kind) => {
        const cache = caches.of<KubeObject>(kind);
        const all = namespace === "" ? cache.list() : cache.inNamespace(namespace).list();
        return all.filter(isChosen).map(sourceOf);
      });
    },
  );
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

/** Each result of a cluster counts once, however many passes see it. */
function failureCounter(onFailure: (app: string, mirror: string) => void): (world: MirrorWorld) => void {
  const counted = new Map<string, number>();
  return ({ mirror, results, revisions }) => {
    for (const result of results) {
      const place = `${keyOf(mirror.metadata)} ${result.cluster}`;
      if ((counted.get(place) ?? 0) >= result.atMs) continue;
      counted.set(place, result.atMs);
      const failed = new Set(mirrorFailures([result]).map(({ ref }) => `${ref.kind.kind} ${keyOf(ref)}`));
      for (const { revision, configs } of revisions) {
        const parts = [
          `Revision ${keyOf(revision.metadata)}`,
          ...configs.map((config) => `${config.kind} ${keyOf(config)}`),
        ];
        if (parts.some((part) => failed.has(part))) onFailure(revision.spec.app.name, mirror.metadata.name);
      }
    }
  };
}
