import type { Key, Kind, KubeObject } from "@chaski/kube";
import type { Selection } from "../client/client.ts";

/** Reads of one kind in one namespace (or in all). Objects are shared: never mutate them. */
export interface CacheView<T extends KubeObject> {
  /** By name within the view's namespace; of a cluster-wide view by `namespace/name`. */
  get(name: string): Readonly<T> | undefined;
  list(): readonly Readonly<T>[];
  byIndex(index: string, value: string): readonly Readonly<T>[];
}

export type CacheEvent<T extends KubeObject> =
  | { readonly type: "added"; readonly object: T; readonly isInitial: boolean }
  | { readonly type: "updated"; readonly old: T; readonly object: T; readonly isResync: boolean }
  /** `isFinalStateKnown` is false when a relist noticed the absence. */
  | { readonly type: "deleted"; readonly object: T; readonly isFinalStateKnown: boolean };

/** One kind of one cluster, kept up to date by one shared watch. */
export interface KindCache<T extends KubeObject> extends CacheView<T> {
  readonly kind: Kind<T>;
  readonly hasSynced: boolean;
  /** False where the cluster does not serve the kind (yet). */
  readonly isServed: boolean;
  /** Restricted by nothing: what it does not show was not there. */
  readonly isWhole: boolean;
  inNamespace(namespace: string): CacheView<T>;
  /**
   * Called after the store has changed, in order per object; a handler that throws affects nobody else. What is there
   * already is handed over as added before this returns.
   */
  subscribe(handler: (event: CacheEvent<T>) => void): () => void;
  /**
   * Resolves when the cache has seen what we last wrote to this object (or relisted). Rejects when the signal aborts, or
   * when the outcome of that write is unknown and the server can't be asked.
   */
  caughtUp(key: Key, signal: AbortSignal): Promise<void>;
}

export type IndexFunction<T extends KubeObject> = (object: Readonly<T>) => readonly string[];

export interface CacheOptions<T extends KubeObject> extends Selection {
  readonly indices?: Readonly<Record<string, IndexFunction<T>>>;
  /** Drops what nobody reads, metadata's identity apart; managedFields always go. Returns a new or the same object. */
  readonly transform?: (object: T) => T;
  /** How often every cached object is handed to the handlers again, as an update by itself; at least 1 s. Off by default. */
  readonly resyncMs?: number;
}

export interface Caches {
  /**
   * The kind must have been declared (by a controller's `reads` or `wakeOn`); otherwise an error names it. The
   * restriction is needed where the kind was declared with several.
   */
  of<T extends KubeObject>(kind: Kind<T>, restriction?: Selection): KindCache<T>;
}

/** What came of a write. */
export type WriteOutcome =
  | { readonly type: "answered"; readonly resourceVersion: string }
  | { readonly type: "deleted"; readonly uid: string }
  /** No answer came: the write may have been executed or not. */
  | { readonly type: "unknown" };

/** The caches of one cluster, from declaration to stop. */
export interface ClusterCaches extends Caches {
  /** Before the start. Two declarations of one kind with one restriction share a watch, and have the indices of both. */
  declare<T extends KubeObject>(kind: Kind<T>, options?: CacheOptions<T>): void;
  /** Watches until the signal aborts. */
  start(signal: AbortSignal): void;
  /** Every kind has synced, or is known not to be served. */
  readonly hasSynced: boolean;
  /** Resolves when `hasSynced` turns true; rejects when the signal aborts. */
  synced(signal: AbortSignal): Promise<void>;
  /** Resolves when every watch has ended after the abort. */
  stopped(): Promise<void>;
  /** To be called with the outcome of every write, before anything else is awaited; `caughtUp` waits for it. */
  wrote(kind: Kind, key: Key, outcome: WriteOutcome): void;
}
