import { apiVersionOf, type KubeObject, type Ref } from "@chaski/kube";
import { hashOf } from "../cache/content-hash.ts";
import type { ApplyEntry, Entry } from "../decision/index.ts";
import { MANAGED_BY_LABEL, OWNER_ANNOTATION, type Owner, ownerAnnotation } from "./ownership.ts";

/** The hash of what was sent last. */
const APPLIED_ANNOTATION = "chaski.dev/applied";
/** After the hash: whose fields are whose is to be settled before the next apply that changes anything. */
const UNSETTLED = " unsettled";
/** The hash of the content that was copied into a Secret or ConfigMap. */
const CONTENT_ANNOTATION = "chaski.dev/content";

/** What we would send for an entry, but for what only the moment of sending knows. */
export interface Payload {
  readonly object: KubeObject;
  readonly hash: string;
}

function payloadOf(entry: ApplyEntry, owner: Owner): Payload {
  const { ref, object, copyOf } = entry;
  const { labels, annotations, ownerReferences, finalizers } = object.metadata;
  const metadata = {
    ...identity(ref).metadata,
    labels: { ...labels, [MANAGED_BY_LABEL]: owner.delivery },
    annotations: {
      ...annotations,
      [OWNER_ANNOTATION]: ownerAnnotation(owner, identity(ref)),
      ...(copyOf && { [CONTENT_ANNOTATION]: copyOf.hash }),
    },
    ...(ownerReferences && { ownerReferences }),
    ...(finalizers && { finalizers }),
  };
  const payload = { ...object, ...identity(ref), metadata };
  return { object: payload, hash: hashOf(payload) };
}

/** Those of one decision, each worked out once for all clusters: ahead of time, or else when it is applied. */
export class Payloads {
  readonly #owner: Owner;
  readonly #known = new Map<Entry, Payload>();

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  of(entry: ApplyEntry): Payload {
    const payload = this.#known.get(entry) ?? payloadOf(entry, this.#owner);
    this.#known.set(entry, payload);
    return payload;
  }

  /** Never fails: what can't be worked out is told when it is applied. */
  prepare(entries: readonly Entry[]): void {
    try {
      for (const entry of entries) if (entry.verb === "apply") this.of(entry);
    } catch {}
  }
}

export interface Applied {
  readonly hash: string;
  /** What we apply is ours alone: what we leave out next time goes. */
  readonly isSettled: boolean;
}

/** What the object says of our last apply; undefined if its creation or adoption was not finished. */
export function appliedTo({ metadata }: Readonly<KubeObject>): Applied | undefined {
  const [hash, ...rest] = metadata.annotations?.[APPLIED_ANNOTATION]?.split(" ") ?? [];
  return hash === undefined ? undefined : { hash, isSettled: rest.length === 0 };
}

export function appliedAnnotation({ hash }: Payload, isSettled: boolean): Readonly<Record<string, string>> {
  return { [APPLIED_ANNOTATION]: isSettled ? hash : hash + UNSETTLED };
}

/** The object with nothing but what names it. */
export function identity({ kind, namespace, name }: Ref): KubeObject {
  const metadata = namespace === undefined ? { name } : { namespace, name };
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
}

/** So that the write is refused when the server has another object, or another version of it. */
export function at(
  object: KubeObject,
  { uid, resourceVersion }: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined },
): KubeObject {
  const fence = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
  return { ...object, metadata: { ...object.metadata, ...fence } };
}

export function withAnnotations(object: KubeObject, annotations: Readonly<Record<string, string>>): KubeObject {
  const merged = { ...object.metadata.annotations, ...annotations };
  return { ...object, metadata: { ...object.metadata, annotations: merged } };
}

/** Both together; where both set the same field, the object's wins. */
export function merged(object: KubeObject, initial: Readonly<Record<string, unknown>>): KubeObject {
  return mergedMaps(initial, object as unknown as Readonly<Record<string, unknown>>) as unknown as KubeObject;
}

function mergedMaps(
  under: Readonly<Record<string, unknown>>,
  over: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const both = Object.entries(over).map(([field, value]) => {
    const below = under[field];
    return [field, isMap(value) && isMap(below) ? mergedMaps(below, value) : value] as const;
  });
  return { ...under, ...Object.fromEntries(both) };
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
