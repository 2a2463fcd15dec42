// Watches: ClusterSecrets, the Secrets and Clusters that they choose.
// Writes:  copies of those Secrets on those clusters, the namespace that they are in where it is missing; its status and
//          finalizer.
// Never:   a Secret that somebody else has made there.
import { Cluster, ClusterSecrets } from "@chaski/api";
import {
  keyOf,
  type KubeObject,
  matchesFields,
  matchesLabels,
  Namespace,
  parseFieldSelector,
  parseLabelSelector,
  resourceName,
  Secret,
} from "@chaski/kube";
import {
  type AnyController,
  type Caches,
  defineController,
  type Gathering,
  type WakeContext,
  wake,
  withoutContent,
} from "@chaski/runtime";
import { type ClusterSecretsWorld, type CopyCluster, decideClusterSecrets } from "../engine/decide-cluster-secrets.ts";
import { isInFleet } from "./cluster-source.ts";
import { seenOn } from "./contact.ts";
import { sourceOf } from "./config-sources.ts";
import { byName } from "./fleet-members.ts";
import { ownedKinds } from "./owned-kinds.ts";
import type { ReleaseSettings } from "./gather-release.ts";

const COPIED = [Namespace, Secret].map(resourceName);

export function clusterSecretsController(settings: ReleaseSettings, syncPeriodMs: number): AnyController {
  return defineController({
    name: "releases.cluster-secrets",
    kind: ClusterSecrets,
    cache: { resyncMs: syncPeriodMs },
    owns: ownedKinds.filter(({ kind }) => COPIED.includes(resourceName(kind))),
    wakeOn: [
      wake<KubeObject>({ kind: Secret, on: "delivery", keys: choosersOf, cache: { transform: withoutContent } }),
      wake<Cluster>({ kind: Cluster, on: "delivery", keys: ({ metadata }, context) => neighbours(metadata, context) }),
    ],
    wakeOnCluster: (context) => {
      const cluster = context.caches.of(Cluster).get(context.cluster);
      return cluster ? neighbours(cluster.metadata, context) : [];
    },
    gather: (gathering) => gatherClusterSecrets(gathering, settings),
    decide: decideClusterSecrets,
  });
}

function gatherClusterSecrets(gathering: Gathering<ClusterSecrets>, { flags }: ReleaseSettings): ClusterSecretsWorld {
  const { object: clusterSecrets, nowMs, caches, results } = gathering;
  const { source, target } = clusterSecrets.spec;
  const chooses = { secrets: selectorOf(source), clusters: selectorOf(target) };
  const problem = [chooses.secrets, chooses.clusters].find((selector) => typeof selector === "string");
  const isChosen = (selector: Selector | string, object: KubeObject): boolean =>
    typeof selector !== "string" && selector(object);
  return {
    nowMs,
    clusterSecrets,
    results,
    cleanupTimeoutMs: flags.cleanupTimeoutMs,
    sources: secretsIn(caches, source.namespace)
      .filter((secret) => isChosen(chooses.secrets, secret))
      .toSorted(byName)
      .map(sourceOf),
    clusters: clustersOf(gathering, (cluster) => isChosen(chooses.clusters, cluster)),
    ...(typeof problem === "string" && { problem }),
  };
}

function clustersOf(
  gathering: Gathering<ClusterSecrets>,
  isChosen: (cluster: Cluster) => boolean,
): readonly CopyCluster[] {
  return gathering.caches
    .of(Cluster)
    .inNamespace(gathering.object.metadata.namespace ?? "")
    .list()
    .filter(isInFleet)
    .toSorted(byName)
    .map((cluster) => ({ ...seenOn(keyOf(cluster.metadata), gathering), isChosen: isChosen(cluster) }));
}

type Selector = (object: KubeObject) => boolean;

/** What is wrong with it, in words, where it can't be read. */
function selectorOf(given: { readonly labelSelector?: string; readonly fieldSelector?: string }): Selector | string {
  const labels = parseLabelSelector(given.labelSelector ?? "");
  const fields = parseFieldSelector(given.fieldSelector ?? "");
  if (!labels.ok) return labels.problem;
  if (!fields.ok) return fields.problem;
  return (object) =>
    matchesLabels(labels.value, object.metadata.labels ?? {}) &&
    matchesFields(fields.value, (field) => fieldOf(object, field));
}

function fieldOf(object: KubeObject, field: string): string | undefined {
  const value = field
    .split(".")
    .reduce<unknown>((inner, step) => (inner as Record<string, unknown> | undefined)?.[step], object);
  return typeof value === "string" ? value : undefined;
}

function secretsIn(caches: Caches, namespace: string): readonly KubeObject[] {
  return caches.of<KubeObject>(Secret).inNamespace(namespace).list();
}

function choosersOf({ metadata }: KubeObject, { caches }: WakeContext): readonly string[] {
  return caches
    .of(ClusterSecrets)
    .list()
    .filter(({ spec }) => spec.source.namespace === metadata.namespace)
    .map((chooser) => keyOf(chooser.metadata));
}

function neighbours({ namespace = "" }: KubeObject["metadata"], { caches }: WakeContext): readonly string[] {
  return caches
    .of(ClusterSecrets)
    .inNamespace(namespace)
    .list()
    .map(({ metadata }) => keyOf(metadata));
}
