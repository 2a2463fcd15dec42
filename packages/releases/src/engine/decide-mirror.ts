// Copies of Revisions and their configs on another delivery cluster (§4.6, D-40). Nothing is ever taken away there.
import { type Mirror, type MirrorStatus, Revision } from "@chaski/api";
import {
  apiVersionOf,
  ConfigMap,
  type ConditionClaim,
  defined,
  describeRef,
  formatTimestamp,
  type Kind,
  type KubeObject,
  type Ref,
  refTo,
  Secret,
  setConditions,
} from "@chaski/kube";
import {
  type ApplyEntry,
  apply,
  type ClusterResult,
  type Decision,
  decision,
  isUnmet,
  keep,
} from "@chaski/runtime/decision";
import { ExternalSecret } from "../objects/kinds.ts";
import { contactText } from "./contact-text.ts";
import type { ConfigSource, Contact } from "./world.ts";

export interface MirrorWorld {
  readonly nowMs: number;
  readonly mirror: Mirror;
  /** That have pods and want to be mirrored. */
  readonly revisions: readonly MirroredRevision[];
  readonly clusters: readonly MirrorCluster[];
  readonly results: readonly ClusterResult[];
}

export interface MirroredRevision {
  readonly revision: Revision;
  /** The Cluster that gets the copies, in the Revision's own namespace. */
  readonly cluster: string;
  /** Labels and annotations of a config go along, once. */
  readonly configs: readonly MirroredConfig[];
}

export type MirroredConfig = ConfigSource & { readonly annotations: Readonly<Record<string, string>> };

export interface MirrorCluster {
  readonly name: string;
  readonly contact: Contact;
  readonly owned: readonly KubeObject[];
}

export function decideMirror(world: MirrorWorld): Decision<MirrorStatus> {
  const desired = world.clusters.map(({ name, owned }) => {
    const copies = copiesOn(name, world.revisions);
    const known = new Set(copies.map(({ ref }) => describeRef(ref)));
    const others = owned.map(refOf).filter((ref) => !known.has(describeRef(ref)));
    return { cluster: name, entries: [...copies, ...others.map(keep)] };
  });
  const claim = mirroredClaim(world);
  const conditions = setConditions(world.mirror.status?.conditions, [claim], formatTimestamp(world.nowMs));
  return decision({ status: { conditions }, desired });
}

/** A config that several revisions choose is copied once. */
function copiesOn(cluster: string, revisions: readonly MirroredRevision[]): readonly ApplyEntry[] {
  const copies = revisions
    .filter((mirrored) => mirrored.cluster === cluster)
    .flatMap(({ revision, configs }) => [...configs.map(configCopy), revisionCopy(revision)]);
  return [...new Map(copies.map((copy) => [describeRef(copy.ref), copy])).values()];
}

function configCopy(source: MirroredConfig): ApplyEntry {
  const kind = CONFIG_KINDS[source.kind];
  const { name, namespace, labels, annotations } = source;
  const object = { ...bare(kind, { name, namespace }), ...defined({ spec: source.spec }) };
  const initial = initialOf(labels, annotations);
  if (source.kind === "ExternalSecret") return apply(refTo(kind, object), object, { initial });
  const copyOf = { ref: { kind, namespace, name }, hash: source.hash };
  return apply(refTo(kind, object), object, { initial, copyOf });
}

export const CONFIG_KINDS: Readonly<Record<ConfigSource["kind"], Kind>> = { Secret, ConfigMap, ExternalSecret };

/** The tests of the original say enough: the copy runs none (D-40). */
function revisionCopy({ metadata, spec }: Revision): ApplyEntry {
  const targets = spec.targets.map(({ externalTest, ...target }) => ({
    ...target,
    ...(externalTest && { externalTest: { ...externalTest, enabled: false } }),
  }));
  const { name, namespace = "", labels = {}, annotations = {} } = metadata;
  const object = { ...bare(Revision, { name, namespace }), spec: { ...spec, targets } };
  return apply(refTo(Revision, object), object, { initial: initialOf(labels, annotations) });
}

function bare(kind: Kind, metadata: { readonly name: string; readonly namespace: string }): KubeObject {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
}

const OF_OTHERS = /^(?:kubectl\.kubernetes\.io|chaski\.dev)\//;

/** Given once, at creation: from then on they are the other cluster's affair. */
function initialOf(
  labels: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const own = Object.entries(annotations).filter(([key]) => !OF_OTHERS.test(key));
  return { metadata: { labels, annotations: Object.fromEntries(own) } };
}

function mirroredClaim({ clusters, results, revisions }: MirrorWorld): ConditionClaim {
  const missing = revisions.find(({ cluster }) => !clusters.some(({ name }) => name === cluster));
  if (missing)
    return {
      type: "Mirrored",
      status: "False",
      reason: "NoCluster",
      message: `there is no enabled Cluster ${missing.cluster}`,
    };
  const unseen = clusters.find(({ contact }) => contact.state !== "observed");
  if (unseen)
    return {
      type: "Mirrored",
      status: "Unknown",
      reason: "ClusterUnobserved",
      message: `cluster ${unseen.name} is ${contactText(unseen.contact)}`,
    };
  const failure = results.flatMap(({ entries }) => entries).find(isUnmet);
  if (failure)
    return {
      type: "Mirrored",
      status: "False",
      reason: "Refused",
      message: `${describeRef(failure.ref)}: ${failure.message}`,
    };
  return { type: "Mirrored", status: "True", reason: "Copied", message: `${revisions.length} Revisions are copied` };
}

function refOf(object: KubeObject): Ref {
  const kind = [Secret, ConfigMap, ExternalSecret, Revision].find((each: Kind) => each.kind === object.kind);
  if (!kind) throw new Error(`a mirror makes no ${object.kind}`);
  return refTo(kind as Kind, object);
}
