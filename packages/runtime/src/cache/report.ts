import { type Key, type Kind, keyOf } from "@chaski/kube";

/** What happens to a cache, for metrics, logs and the cluster's reachability. */
export type CacheFact =
  /** The server has sent something: objects, events or a bookmark. */
  | { readonly type: "heard" }
  | { readonly type: "listed"; readonly tookMs: number; readonly isRelist: boolean }
  /** The watch is opened again, from where it was. */
  | { readonly type: "restarted"; readonly because: "ended" | "silent" }
  /** Something went wrong; `retryInMs` says when it is tried again. */
  | { readonly type: "failed"; readonly error: unknown; readonly retryInMs: number }
  | { readonly type: "not served"; readonly retryInMs: number }
  | { readonly type: "malformed object"; readonly error: MalformedObjectError }
  | { readonly type: "handler failed"; readonly error: unknown };

export interface CacheSource {
  readonly cluster: string;
  readonly kind: Kind;
}

export type CacheReport = (source: CacheSource, fact: CacheFact) => void;

/** An object that was skipped: it lacks a name or a version, or a transform or an index function choked on it. */
export class MalformedObjectError extends Error {
  override readonly name = "MalformedObjectError";
  readonly code = "MalformedObject";

  constructor(kind: Kind, key: Partial<Key>, cause: unknown) {
    const { name } = key;
    const what = name ? `${kind.kind} ${keyOf({ ...key, name })}` : `a ${kind.kind} without a name`;
    super(`${what} can't be cached: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
