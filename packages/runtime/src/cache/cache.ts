import type { Key, Kind, KubeObject } from "@chaski/kube";

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
  inNamespace(namespace: string): CacheView<T>;
  /** Called after the store has changed, in order per object; a handler that throws affects nobody else. */
  subscribe(handler: (event: CacheEvent<T>) => void): () => void;
  /** Resolves when the cache has seen what we last wrote to this object (or relisted); rejects when the signal aborts. */
  caughtUp(key: Key, signal: AbortSignal): Promise<void>;
}

export type IndexFunction<T extends KubeObject> = (object: Readonly<T>) => readonly string[];

export interface CacheOptions<T extends KubeObject> {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly namespace?: string;
  readonly indices?: Readonly<Record<string, IndexFunction<T>>>;
  /** Drops what nobody reads; managedFields always go. Must return a new or the same object. */
  readonly transform?: (object: T) => T;
}

export interface Caches {
  /** The kind must have been declared (by a controller's `reads` or `wakeOn`); otherwise an error names it. */
  of<T extends KubeObject>(kind: Kind<T>): KindCache<T>;
}
