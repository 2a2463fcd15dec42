// Copies of the delivery cluster's Secrets on the clusters that are chosen (§4.5, D-39).
import { ClusterSecrets, type ClusterSecretsStatus, releaseKeys } from "@chaski/api";
import {
  apiVersionOf,
  type ConditionClaim,
  describeRef,
  formatTimestamp,
  type KubeObject,
  Namespace,
  type Ref,
  refTo,
  Secret,
  setConditions,
  timeMs,
} from "@chaski/kube";
import {
  apply,
  type ClusterDesired,
  type ClusterResult,
  type Decision,
  decision,
  type Entry,
  type EntryResult,
  type EventNote,
  finalizerPatches,
  isUnmet,
  keep,
  type ObjectPatch,
  remove,
} from "@chaski/runtime/decision";
import { contactText } from "./contact-text.ts";
import type { ConfigSource, Contact } from "./world.ts";

export interface ClusterSecretsWorld {
  readonly nowMs: number;
  readonly clusterSecrets: ClusterSecrets;
  /** Secrets that the source's selectors choose. */
  readonly sources: readonly ConfigSource[];
  readonly clusters: readonly CopyCluster[];
  /** What is wrong with a selector; then nothing is chosen, and nothing taken away. */
  readonly problem?: string;
  readonly cleanupTimeoutMs: number;
  readonly results: readonly ClusterResult[];
}

export interface CopyCluster {
  readonly name: string;
  readonly isChosen: boolean;
  readonly contact: Contact;
  /** What we have there already, as far as it was seen. */
  readonly owned: readonly KubeObject[];
}

export function decideClusterSecrets(world: ClusterSecretsWorld): Decision<ClusterSecretsStatus> {
  const { clusterSecrets, problem } = world;
  if (clusterSecrets.metadata.deletionTimestamp !== undefined) return decideDeletion(world);
  if (problem !== undefined) return decideBroken(world, problem);
  const claim = syncedClaim(world);
  return decision({
    status: statusOf(world, claim),
    patches: finalizing(clusterSecrets, true),
    desired: world.clusters.map((cluster) => desiredOn(cluster, world)),
  });
}

function decideBroken(world: ClusterSecretsWorld, message: string): Decision<ClusterSecretsStatus> {
  return decision({
    status: statusOf(world, { type: "Synced", status: "False", reason: "InvalidSelector", message }),
    desired: world.clusters.map(({ name, owned }) => ({
      cluster: name,
      entries: owned.map((copy) => keep(refOf(copy))),
    })),
    stalled: { reason: "InvalidSelector", message },
  });
}

function desiredOn(cluster: CopyCluster, world: ClusterSecretsWorld): ClusterDesired {
  const { name, isChosen, owned } = cluster;
  const wanted = isChosen ? world.sources : [];
  const namespaces = wanted.length > 0 ? namespaceEntries(cluster, world) : [];
  const after = namespaces.map(({ ref }) => ref);
  const copies = wanted.map((source) => copyOf(source, world.clusterSecrets, after));
  const known = new Set([...namespaces, ...copies].map(({ ref }) => describeRef(ref)));
  const others = owned.map(refOf).filter((ref) => !known.has(describeRef(ref)));
  return { cluster: name, entries: [...namespaces, ...copies, ...others.map((ref) => leave(ref, isChosen))] };
}

/** A namespace that others have made is used as it is; one that is missing is made. */
function namespaceEntries({ name, owned }: CopyCluster, { clusterSecrets, results }: ClusterSecretsWorld) {
  const target = clusterSecrets.spec.target.namespace;
  const isOurs = owned.some(({ kind, metadata }) => kind === Namespace.kind && metadata.name === target);
  const isMissing = results
    .filter(({ cluster }) => cluster === name)
    .some(({ entries }) => entries.some(isWithoutNamespace));
  if (!isOurs && !isMissing) return [];
  const object = { apiVersion: apiVersionOf(Namespace), kind: Namespace.kind, metadata: { name: target } };
  return [apply(refTo(Namespace, object), object)];
}

function copyOf(
  source: ConfigSource,
  { spec: { target } }: ClusterSecrets,
  after: readonly Ref[],
): Entry & { ref: Ref } {
  const { namespace, labels = {}, annotations = {} } = target;
  const metadata = { name: source.name, namespace, labels, annotations };
  const object = { apiVersion: apiVersionOf(Secret), kind: Secret.kind, metadata };
  const from = { kind: Secret, namespace: source.namespace, name: source.name };
  return apply(refTo(Secret, object), object, { copyOf: { ref: from, hash: source.hash }, after });
}

/** Others may have put things into a namespace that we made. */
function leave(ref: Ref, isChosen: boolean): Entry {
  if (ref.kind.kind === Namespace.kind) return keep(ref);
  return remove(ref, isChosen ? "its source is not chosen any more" : "the cluster is not chosen any more");
}

function decideDeletion(world: ClusterSecretsWorld): Decision<ClusterSecretsStatus> {
  const { clusterSecrets, clusters, nowMs, cleanupTimeoutMs } = world;
  const entries = ({ owned }: CopyCluster): readonly Entry[] =>
    owned.map(refOf).map((ref) => (ref.kind.kind === Namespace.kind ? keep(ref) : remove(ref, "it is being deleted")));
  const waiting = clusters.filter((cluster) => cluster.isChosen || cluster.owned.length > 0).filter(mayHaveCopies);
  const timeoutAtMs = (timeMs(clusterSecrets.metadata.deletionTimestamp) ?? nowMs) + cleanupTimeoutMs;
  const isOver = waiting.length === 0 || nowMs >= timeoutAtMs;
  return decision({
    desired: clusters.map((cluster) => ({ cluster: cluster.name, entries: entries(cluster) })),
    patches: isOver ? finalizing(clusterSecrets, false) : [],
    events: isOver ? abandonedEvents(waiting) : [],
    ...(isOver ? {} : { wakeAtMs: timeoutAtMs }),
  });
}

function mayHaveCopies({ contact, owned }: CopyCluster): boolean {
  return contact.state !== "observed" || owned.some(({ kind }) => kind === Secret.kind);
}

function abandonedEvents(waiting: readonly CopyCluster[]): readonly EventNote[] {
  if (waiting.length === 0) return [];
  const names = waiting.map(({ name }) => name).join(", ");
  return [{ type: "Warning", reason: "CleanupTimedOut", message: `copies may be left on ${names}` }];
}

function syncedClaim({ clusters, sources, results, clusterSecrets }: ClusterSecretsWorld): ConditionClaim {
  const chosen = clusters.filter(({ isChosen }) => isChosen);
  const failure = failureIn(results);
  if (failure !== undefined) return { type: "Synced", status: "False", reason: "Refused", message: failure };
  const unseen = chosen.find(({ contact }) => contact.state !== "observed");
  if (unseen) {
    const message = `cluster ${unseen.name} is ${contactText(unseen.contact)}`;
    return { type: "Synced", status: "Unknown", reason: "ClusterUnobserved", message };
  }
  const { namespace } = clusterSecrets.spec.target;
  const isThere = ({ owned }: CopyCluster, { name }: ConfigSource): boolean =>
    owned.some(
      ({ kind, metadata }) => kind === Secret.kind && metadata.name === name && metadata.namespace === namespace,
    );
  const isSynced = chosen.every((cluster) => sources.every((source) => isThere(cluster, source)));
  const what = `${sources.length} Secrets on ${chosen.length} clusters`;
  return isSynced
    ? { type: "Synced", status: "True", reason: "Copied", message: what }
    : { type: "Synced", status: "False", reason: "Copying", message: `${what} are being written` };
}

/** A missing namespace is made, and so no failure. */
function failureIn(results: readonly ClusterResult[]): string | undefined {
  const failures = results.flatMap(({ cluster, entries }) =>
    entries
      .filter(isUnmet)
      .filter((entry) => !isWithoutNamespace(entry))
      .map(({ ref, message }) => `cluster ${cluster}: ${ref.kind.kind} ${ref.name}: ${message}`),
  );
  return failures[0];
}

function isWithoutNamespace(result: EntryResult): boolean {
  return result.outcome === "failed" && result.reason === "NotFound";
}

function statusOf(
  { clusterSecrets, sources, nowMs }: ClusterSecretsWorld,
  claim: ConditionClaim,
): ClusterSecretsStatus {
  const conditions = setConditions(clusterSecrets.status?.conditions, [claim], formatTimestamp(nowMs));
  return { secrets: sources.map(({ name }) => name).toSorted(), conditions };
}

function finalizing(clusterSecrets: ClusterSecrets, isWanted: boolean): readonly ObjectPatch[] {
  return finalizerPatches(ClusterSecrets, clusterSecrets, releaseKeys.finalizers.clusterSecrets, isWanted);
}

function refOf(object: KubeObject): Ref {
  return object.kind === Namespace.kind ? refTo(Namespace, object) : refTo(Secret, object);
}
