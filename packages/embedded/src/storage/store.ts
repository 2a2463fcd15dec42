import type { Clock } from "@chaski/clock";
import { type JsonObject, own } from "../schema/json.ts";
import { Collection } from "./collection.ts";
import { type EventType, Stored, type StoreEvent } from "./stored.ts";

export interface Write {
  readonly collection: string;
  readonly key: string;
  readonly object: JsonObject;
}

/** The cluster's state: every write gets the next resourceVersion, whatever it is about. */
export class Store {
  readonly #clock: Clock;
  readonly #collections = new Map<string, Collection>();
  readonly #listeners: ((collection: string, event: StoreEvent) => void)[] = [];
  #resourceVersion = 1;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get resourceVersion(): number {
    return this.#resourceVersion;
  }

  collection(name: string): Collection {
    let collection = this.#collections.get(name);
    if (!collection) {
      collection = new Collection();
      this.#collections.set(name, collection);
    }
    return collection;
  }

  /** Takes the object over: nobody may modify it afterwards. */
  put({ collection, key, object }: Write): Stored {
    const before = this.collection(collection).get(key);
    return this.#record(collection, { type: before ? "MODIFIED" : "ADDED", key, object, before });
  }

  /** `last` is what watchers see of it; undefined: the object as it is stored. */
  delete(collection: string, key: string, last?: JsonObject): Stored | undefined {
    const before = this.collection(collection).get(key);
    if (!before) return undefined;
    return this.#record(collection, { type: "DELETED", key, object: last ?? before.object, before });
  }

  /** Every write, of whatever collection, after those who watch the collection itself. */
  listen(listener: (collection: string, event: StoreEvent) => void): void {
    this.#listeners.push(listener);
  }

  /** The version that was current at a time, as far back as is remembered. */
  versionAt(atMs: number): number {
    let version = this.#resourceVersion;
    for (const collection of this.#collections.values())
      version = Math.min(version, collection.firstVersionAfter(atMs) - 1);
    return version;
  }

  compact(): void {
    for (const collection of this.#collections.values()) collection.compact(this.#resourceVersion);
  }

  #record(
    name: string,
    { type, key, object, before }: { type: EventType; key: string; object: JsonObject; before: Stored | undefined },
  ): Stored {
    const resourceVersion = ++this.#resourceVersion;
    const metadata = own(object, "metadata") as JsonObject;
    const versioned = { ...object, metadata: { ...metadata, resourceVersion: `${resourceVersion}` } };
    const after = new Stored(key, resourceVersion, versioned);
    const atMs = this.#clock.now();
    const event: StoreEvent = { type, resourceVersion, atMs, after, before };
    const collection = this.collection(name);
    collection.record(event);
    collection.trim(atMs);
    for (const listener of this.#listeners) listener(name, event);
    return after;
  }
}
