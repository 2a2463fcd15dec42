import type { JsonObject } from "../schema/json.ts";
import { type Listener, Stored, type StoreEvent } from "./stored.ts";

const HISTORY_MS = 5 * 60_000;
const HISTORY_EVENTS = 20_000;

/** Ends a read that asks for a state that is no longer known. */
export class CompactedError extends Error {
  override readonly name = "CompactedError";
  readonly requested: number;
  readonly oldest: number;

  constructor(requested: number, oldest: number) {
    super(`resourceVersion ${requested} is older than ${oldest}`);
    this.requested = requested;
    this.oldest = oldest;
  }
}

/** All objects of one resource in key order, and what happened to them within the history window. */
export class Collection {
  readonly #objects = new Map<string, Stored>();
  #order: string[] | undefined = [];
  #history: StoreEvent[] = [];
  #compactedAt = 0;
  readonly #listeners = new Set<Listener>();

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): Stored | undefined {
    return this.#objects.get(key);
  }

  /** In key order; `prefix` narrows to a namespace (`shop/`). */
  *list(prefix = ""): Generator<Stored> {
    for (const key of this.#keys()) {
      if (!key.startsWith(prefix)) continue;
      const stored = this.#objects.get(key);
      if (stored) yield stored;
    }
  }

  /** The objects as they were right after `resourceVersion`. */
  listAt(resourceVersion: number, prefix = ""): Stored[] {
    this.#requireKnown(resourceVersion);
    const objects = new Map<string, Stored | undefined>(this.#objects);
    for (let index = this.#history.length - 1; index >= 0; index--) {
      const event = this.#history[index];
      if (!event || event.resourceVersion <= resourceVersion) break;
      objects.set(event.after.key, event.before);
    }
    return [...objects.values()]
      .filter((stored): stored is Stored => stored !== undefined && stored.key.startsWith(prefix))
      .toSorted((left, right) => (left.key < right.key ? -1 : 1));
  }

  eventsAfter(resourceVersion: number): readonly StoreEvent[] {
    this.#requireKnown(resourceVersion);
    let low = 0;
    let high = this.#history.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#history[middle]?.resourceVersion ?? 0) > resourceVersion) high = middle;
      else low = middle + 1;
    }
    return this.#history.slice(low);
  }

  /** The version of the first write after a time; infinite when there was none. */
  firstVersionAfter(atMs: number): number {
    return this.#history.find((event) => event.atMs > atMs)?.resourceVersion ?? Number.POSITIVE_INFINITY;
  }

  record(event: StoreEvent): void {
    const { key } = event.after;
    if (event.type === "DELETED") {
      this.#objects.delete(key);
      this.#order = undefined;
    } else {
      if (event.type === "ADDED") this.#addToOrder(key);
      this.#objects.set(key, event.after);
    }
    this.#history.push(event);
    for (const listener of this.#listeners) listener(event);
  }

  /** Shows every object in another form, as if it had always been so: no versions, no events. */
  rewrite(form: (object: JsonObject) => JsonObject): void {
    for (const [key, { resourceVersion, object }] of this.#objects)
      this.#objects.set(key, new Stored(key, resourceVersion, form(object)));
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Forgets what happened up to and including `resourceVersion`. */
  compact(resourceVersion: number): void {
    if (resourceVersion <= this.#compactedAt) return;
    this.#history = this.#history.filter((event) => event.resourceVersion > resourceVersion);
    this.#compactedAt = resourceVersion;
  }

  /** Keeps the window of history; trims only when it is twice as large, so that writes stay cheap. */
  trim(nowMs: number): void {
    const oldest = this.#history[0];
    const { length } = this.#history;
    if (!oldest || (oldest.atMs >= nowMs - 2 * HISTORY_MS && length < 2 * HISTORY_EVENTS)) return;
    const recent = this.#history.findIndex((event) => event.atMs >= nowMs - HISTORY_MS);
    const firstKept = Math.max(recent < 0 ? length : recent, length - HISTORY_EVENTS);
    this.compact(this.#history[firstKept - 1]?.resourceVersion ?? 0);
  }

  #requireKnown(resourceVersion: number): void {
    if (resourceVersion < this.#compactedAt) throw new CompactedError(resourceVersion, this.#compactedAt);
  }

  /** Objects made in the order of their names, the common case, cost no sorting. */
  #addToOrder(key: string): void {
    const last = this.#order?.at(-1);
    if (this.#order && (last === undefined || last < key)) this.#order.push(key);
    else this.#order = undefined;
  }

  #keys(): readonly string[] {
    this.#order ??= [...this.#objects.keys()].toSorted();
    return this.#order;
  }
}
