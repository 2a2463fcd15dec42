import type { KubeObject, Ref } from "@chaski/kube";
import type { KindCache } from "../cache/cache.ts";
import type { ConnectedCluster } from "../clusters/cluster.ts";
import type { EntryResult } from "../decision/index.ts";
import type { AppliedMemory } from "./applied-memory.ts";
import type { Owner } from "./ownership.ts";
import type { Payloads } from "./payload.ts";
import type { Writer } from "./writer.ts";

/** What the operator's settings say about other people's objects. */
export interface ApplyPolicy {
  /** An object with this label is left alone. */
  readonly ignoreLabel?: string;
  /** Field managers of an operator that we replace: what they own becomes ours when we adopt. */
  readonly replacedManagers: readonly string[];
  /** Namespaces that are never removed; `*` at the end stands for anything. */
  readonly reservedNamespaces: readonly string[];
}

/** One owner's work on one cluster. */
export interface Site {
  readonly owner: Owner;
  readonly ownerUid: string | undefined;
  readonly isOwnerDeleted: boolean;
  readonly manager: string;
  readonly cluster: ConnectedCluster;
  readonly writer: Writer;
  readonly memory: AppliedMemory;
  readonly payloads: Payloads;
  readonly policy: ApplyPolicy;
  readonly signal: AbortSignal;
  /** Reads a Secret or ConfigMap on the delivery cluster, with its content. */
  readSource(ref: Ref): Promise<KubeObject>;
}

export function cacheAt(site: Site, ref: Ref): KindCache<KubeObject> {
  return site.cluster.caches.of(ref.kind);
}

export function cachedAt(site: Site, ref: Ref): Readonly<KubeObject> | undefined {
  const cache = cacheAt(site, ref);
  return ref.namespace === undefined ? cache.get(ref.name) : cache.inNamespace(ref.namespace).get(ref.name);
}

/** The object as it is on the server at this moment; undefined if there is none. */
export async function readLive({ cluster, signal }: Site, ref: Ref): Promise<KubeObject | undefined> {
  try {
    return await cluster.client.of(ref.kind).get(ref, { signal });
  } catch (error) {
    if (reasonOf(error) === "NotFound") return undefined;
    throw error;
  }
}

/** A failure with a reason of our own. */
export class ProblemError extends Error {
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Errors of the client are told apart by their `reason`. */
export function reasonOf(error: unknown): string {
  const reason = error instanceof Error && "reason" in error ? error.reason : undefined;
  return typeof reason === "string" ? reason : "Error";
}

export function failed(ref: Ref, reason: string, message: string): EntryResult {
  return { ref, outcome: "failed", reason, message };
}
