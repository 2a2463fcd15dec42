import { defineKind, type Key, type KubeList, type KubeObject, keyOf } from "@chaski/kube";
import type { ListOptions, WatchEvent, WatchOptions } from "../src/client/client.ts";
import type { Handler } from "../src/client/eager.ts";

export interface Thing extends KubeObject {
  readonly spec: { readonly value: number };
}

export const Thing = defineKind<Thing>({
  group: "test.chaski.dev",
  version: "v1",
  kind: "Thing",
  plural: "things",
  isNamespaced: true,
});

export class StatusError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the server answered ${status}`);
    this.status = status;
  }
}

export type Asked =
  | { readonly verb: "list"; readonly options: ListOptions }
  | { readonly verb: "watch"; readonly options: WatchOptions }
  | { readonly verb: "get"; readonly key: Key };

interface Entry {
  readonly version: number;
  readonly event: WatchEvent<Thing>;
}

/** A connection that a watch reads from; broken, ended or silenced by the test. */
class Connection {
  readonly options: WatchOptions;
  readonly #queue: WatchEvent<Thing>[] = [];
  #wake: () => void = () => undefined;
  #end: { readonly error?: Error } | undefined;
  isSilent = false;

  constructor(options: WatchOptions) {
    this.options = options;
    options.signal.addEventListener("abort", () => this.close(options.signal.reason as Error), { once: true });
  }

  send(events: readonly WatchEvent<Thing>[]): void {
    if (this.isSilent || this.#end) return;
    this.#queue.push(...events);
    this.#wake();
  }

  close(error?: Error): void {
    this.#end ??= error ? { error } : {};
    this.#wake();
  }

  /** What was sent before a cut still arrives, up to `keep` events. */
  cut(error: Error, keep = 0): void {
    this.#queue.splice(keep);
    this.close(error);
  }

  async *batches(size: () => number): AsyncGenerator<readonly WatchEvent<Thing>[], void, void> {
    for (;;) {
      while (this.#queue.length > 0) yield this.#queue.splice(0, size());
      if (this.#end?.error) throw this.#end.error;
      if (this.#end) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** An API server of one kind in memory: versions, watch windows, bookmarks, expiry, and all the ways to fail. */
export class ThingApi {
  readonly asked: Asked[] = [];
  readonly objects = new Map<string, Thing>();
  readonly connections = new Set<Connection>();
  streaming: "served" | "refused" | "unknown" = "served";
  isServed = true;
  /** False: connections are accepted, and nothing is ever said on them. */
  isTalking = true;
  pageSize = 500;
  batchSize = (): number => 100;
  /** The next requests fail with these. */
  failures: Error[] = [];
  /** Sent in lists and watches besides the well-formed objects. */
  malformed: unknown[] = [];
  /** How many events a reconnecting watch is sent again that it has seen. */
  repeats = 0;
  #history: Entry[] = [];
  #version = 100;
  #compactedAt = 0;
  #uid = 0;

  get version(): string {
    return String(this.#version);
  }

  get lists(): number {
    return this.asked.filter(
      (asked) => asked.verb === "list" || (asked.verb === "watch" && asked.options.sendInitialEvents),
    ).length;
  }

  get watches(): readonly WatchOptions[] {
    return this.asked.flatMap((asked) => (asked.verb === "watch" ? [asked.options] : []));
  }

  put(name: string, value = 0, metadata: Partial<KubeObject["metadata"]> = {}): Thing {
    const key = { namespace: metadata.namespace ?? "shop", name };
    const known = this.objects.get(keyOf(key));
    const object: Thing = {
      apiVersion: "test.chaski.dev/v1",
      kind: "Thing",
      metadata: {
        ...metadata,
        ...key,
        uid: known?.metadata.uid ?? `uid-${++this.#uid}`,
        resourceVersion: String(++this.#version),
        managedFields: [{ manager: "somebody" }],
      },
      spec: { value },
    };
    this.objects.set(keyOf(key), object);
    this.#record({ type: known ? "MODIFIED" : "ADDED", object });
    return object;
  }

  remove(name: string, namespace = "shop"): void {
    const object = this.objects.get(`${namespace}/${name}`);
    if (!object) return;
    this.objects.delete(`${namespace}/${name}`);
    const metadata = { ...object.metadata, resourceVersion: String(++this.#version) };
    this.#record({ type: "DELETED", object: { ...object, metadata } });
  }

  /** Another kind was written: the version moves on without an event. */
  elsewhere(writes = 1): void {
    this.#version += writes;
  }

  bookmark(): void {
    this.send([bookmarkAt(this.version)]);
  }

  send(events: readonly WatchEvent<Thing>[]): void {
    for (const connection of this.connections) connection.send(events);
  }

  /** Forgets the history, as etcd does. */
  compact(): void {
    this.#compactedAt = this.#version;
    this.#history = [];
  }

  /** A restore from a backup: the same objects, counted from an earlier version. */
  restoreTo(version: number): void {
    this.#version = version;
    this.#history = [];
    this.#compactedAt = 0;
  }

  cut(error: Error = new Error("ECONNRESET"), keep = 0): void {
    for (const connection of this.connections) connection.cut(error, keep);
  }

  end(): void {
    for (const connection of this.connections) connection.close();
  }

  silence(): void {
    for (const connection of this.connections) connection.isSilent = true;
  }

  async get(key: Key): Promise<Thing> {
    this.asked.push({ verb: "get", key });
    this.#mayFail();
    const object = this.objects.get(keyOf(key));
    if (!object) throw new StatusError(404);
    return object;
  }

  async *pages(options: ListOptions = {}): AsyncGenerator<KubeList<Thing>, void, void> {
    const objects = [...this.objects.values(), ...(this.malformed as Thing[])];
    const resourceVersion = this.version;
    const limit = Math.min(options.limit ?? Infinity, this.pageSize);
    for (let start = 0; start === 0 || start < objects.length; start += limit) {
      this.asked.push({ verb: "list", options });
      this.#mayFail();
      yield {
        apiVersion: "v1",
        kind: "List",
        metadata: { resourceVersion },
        items: objects.slice(start, start + limit),
      };
    }
  }

  async watch(options: WatchOptions, hear: Handler<readonly WatchEvent<Thing>[]>): Promise<void> {
    this.asked.push({ verb: "watch", options });
    this.#mayFail();
    const connection = new Connection(options);
    connection.isSilent = !this.isTalking;
    connection.send(this.#firstEvents(options));
    this.connections.add(connection);
    try {
      if (this.isTalking) await hear([]);
      for await (const batch of connection.batches(() => this.batchSize())) await hear(batch);
    } finally {
      this.connections.delete(connection);
    }
  }

  #mayFail(): void {
    const failure = this.failures.shift();
    if (failure) throw failure;
    if (!this.isServed) throw new StatusError(404);
  }

  #firstEvents({ sendInitialEvents, resourceVersion }: WatchOptions): readonly WatchEvent<Thing>[] {
    if (!sendInitialEvents) return this.#since(Number(resourceVersion));
    if (this.streaming === "refused") throw new StatusError(422);
    const initial = [...this.objects.values(), ...(this.malformed as Thing[])].map((object) => ({
      type: "ADDED" as const,
      object,
    }));
    return this.streaming === "unknown" ? initial : [...initial, bookmarkAt(this.version, true)];
  }

  #since(version: number): readonly WatchEvent<Thing>[] {
    if (version < this.#compactedAt) throw new StatusError(410);
    const first = this.#history.findIndex((entry) => entry.version > version);
    const start = first < 0 ? this.#history.length : first;
    return this.#history.slice(Math.max(0, start - this.repeats)).map(({ event }) => event);
  }

  #record(event: WatchEvent<Thing>): void {
    this.#history.push({ version: this.#version, event });
    this.send([event]);
  }
}

export function apiWith(...names: readonly string[]): ThingApi {
  const api = new ThingApi();
  for (const name of names) api.put(name, 1);
  return api;
}

export function bookmarkAt(resourceVersion: string, isListEnd = false): WatchEvent<Thing> {
  const annotations = { "k8s.io/initial-events-end": "true" };
  const metadata = { name: "", resourceVersion, ...(isListEnd && { annotations }) };
  return { type: "BOOKMARK", object: { apiVersion: "test.chaski.dev/v1", kind: "Thing", metadata } };
}
