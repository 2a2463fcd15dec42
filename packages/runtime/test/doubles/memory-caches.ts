import { type Key, type Kind, type KubeObject, keyOf, resourceName } from "@chaski/kube";
import type { CacheEvent, CacheView, Caches, ClusterView, IndexFunction, KindCache } from "@chaski/runtime";

type Handler = (event: CacheEvent<KubeObject>) => void;

/** One kind, filled by the test instead of a watch. */
class MemoryCache implements KindCache<KubeObject> {
  readonly kind: Kind;
  hasSynced = true;
  isServed = true;
  readonly isWhole = true;
  /** What `caughtUp` waits for. */
  catchingUp: Promise<void> = Promise.resolve();
  readonly #objects = new Map<string, KubeObject>();
  readonly #handlers = new Set<Handler>();
  readonly #indices: Readonly<Record<string, IndexFunction<KubeObject>>>;
  #version = 0;

  constructor(kind: Kind, indices: Readonly<Record<string, IndexFunction<KubeObject>>> = {}) {
    this.kind = kind;
    this.#indices = indices;
  }

  /** As if a watch event had brought it. */
  put(object: KubeObject, { isInitial = false } = {}): void {
    const key = keyOf(object.metadata);
    const old = this.#objects.get(key);
    const stamped = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#version) } };
    this.#objects.set(key, stamped);
    this.#tell(
      old ? { type: "updated", old, object: stamped, isResync: false } : { type: "added", object: stamped, isInitial },
    );
  }

  drop(key: string): void {
    const object = this.#objects.get(key);
    if (!object) return;
    this.#objects.delete(key);
    this.#tell({ type: "deleted", object, isFinalStateKnown: true });
  }

  resync(): void {
    for (const object of this.#objects.values()) this.#tell({ type: "updated", old: object, object, isResync: true });
  }

  get(key: string): KubeObject | undefined {
    return this.#objects.get(key);
  }

  list(): readonly KubeObject[] {
    return [...this.#objects.values()];
  }

  byIndex(index: string, value: string): readonly KubeObject[] {
    const values = this.#indices[index];
    if (!values) throw new Error(`${resourceName(this.kind)} has no index ${index}`);
    return this.list().filter((object) => values(object).includes(value));
  }

  inNamespace(namespace: string): CacheView<KubeObject> {
    const isInside = ({ metadata }: KubeObject): boolean => metadata.namespace === namespace;
    return {
      get: (name) => this.get(keyOf({ namespace, name })),
      list: () => this.list().filter(isInside),
      byIndex: (index, value) => this.byIndex(index, value).filter(isInside),
    };
  }

  subscribe(handler: Handler): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  caughtUp(_key: Key, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      void this.catchingUp.then(resolve);
    });
  }

  #tell(event: CacheEvent<KubeObject>): void {
    for (const handler of this.#handlers) handler(event);
  }
}

export class MemoryCaches implements Caches {
  readonly #caches = new Map<string, MemoryCache>();

  add(kind: Kind, indices: Readonly<Record<string, IndexFunction<KubeObject>>> = {}): MemoryCache {
    const cache = new MemoryCache(kind, indices);
    this.#caches.set(resourceName(kind), cache);
    return cache;
  }

  memory(kind: Kind): MemoryCache {
    const cache = this.#caches.get(resourceName(kind));
    if (!cache) throw new Error(`no cache of ${resourceName(kind)} was declared`);
    return cache;
  }

  of<T extends KubeObject>(kind: Kind<T>): KindCache<T> {
    return this.memory(kind) as unknown as KindCache<T>;
  }
}

export function clusterOf(name: string, caches: Caches): ClusterView {
  return { name, caches, reachability: { state: "observed" } };
}
