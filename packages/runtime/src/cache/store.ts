import { type Key, type KubeObject, parseKey } from "@chaski/kube";
import type { CacheView, IndexFunction } from "./cache.ts";

type Buckets<T> = Map<string, Set<T>>;

/** Objects by namespace and name, with named indices that change in the same step as the object. */
export class Store<T extends KubeObject> {
  readonly #namespaces = new Map<string, Map<string, T>>();
  readonly #indices = new Map<string, { readonly valuesOf: IndexFunction<T>; readonly buckets: Buckets<T> }>();
  #size = 0;

  constructor(indices: Readonly<Record<string, IndexFunction<T>>> = {}) {
    for (const [name, valuesOf] of Object.entries(indices)) this.addIndex(name, valuesOf);
  }

  /** Only while the store is empty. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    const known = this.#indices.get(name);
    if (known && known.valuesOf !== valuesOf) throw new Error(`the index ${name} is declared with two functions`);
    if (!known) this.#indices.set(name, { valuesOf, buckets: new Map() });
  }

  get size(): number {
    return this.#size;
  }

  get({ namespace = "", name }: Key): T | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  /** Of one namespace, or of all. */
  list(namespace?: string): T[] {
    if (namespace !== undefined) return [...(this.#namespaces.get(namespace)?.values() ?? [])];
    return [...this.#namespaces.values()].flatMap((objects) => [...objects.values()]);
  }

  byIndex(index: string, value: string): T[] {
    const found = this.#indices.get(index);
    if (!found) throw new Error(`there is no index ${index}; declared: ${[...this.#indices.keys()].join(", ")}`);
    return [...(found.buckets.get(value) ?? [])];
  }

  /** Throws before anything has changed if an index function does. */
  set(object: T): void {
    const { namespace = "", name } = object.metadata;
    const entries = [...this.#indices.values()].flatMap(({ valuesOf, buckets }) =>
      valuesOf(object).map((value) => ({ buckets, value })),
    );
    const objects = this.#namespaces.get(namespace) ?? new Map<string, T>();
    const old = objects.get(name);
    if (old) this.#unindex(old);
    else this.#size++;
    for (const { buckets, value } of entries) addTo(buckets, value, object);
    this.#namespaces.set(namespace, objects.set(name, object));
  }

  delete({ namespace = "", name }: Key): void {
    const objects = this.#namespaces.get(namespace);
    const object = objects?.get(name);
    if (!objects || !object) return;
    this.#unindex(object);
    objects.delete(name);
    if (objects.size === 0) this.#namespaces.delete(namespace);
    this.#size--;
  }

  #unindex(object: T): void {
    for (const { valuesOf, buckets } of this.#indices.values())
      for (const value of valuesOf(object)) removeFrom(buckets, value, object);
  }

  /** Of one namespace, by name; or of all, by `namespace/name`. */
  view(namespace?: string): CacheView<T> {
    if (namespace === undefined)
      return {
        get: (key) => this.get(parseKey(key)),
        list: () => this.list(),
        byIndex: (index, value) => this.byIndex(index, value),
      };
    return {
      get: (name) => this.get({ namespace, name }),
      list: () => this.list(namespace),
      byIndex: (index, value) => this.byIndex(index, value).filter(({ metadata }) => metadata.namespace === namespace),
    };
  }
}

function addTo<T>(buckets: Buckets<T>, value: string, object: T): void {
  const bucket = buckets.get(value);
  if (bucket) bucket.add(object);
  else buckets.set(value, new Set([object]));
}

function removeFrom<T>(buckets: Buckets<T>, value: string, object: T): void {
  const bucket = buckets.get(value);
  bucket?.delete(object);
  if (bucket?.size === 0) buckets.delete(value);
}
