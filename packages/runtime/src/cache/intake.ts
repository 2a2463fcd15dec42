import type { Clock } from "@chaski/clock";
import { type Key, type Kind, type KubeObject, keyOf, type ObjectMeta } from "@chaski/kube";
import type { WatchEvent } from "../client/client.ts";
import type { CacheEvent } from "./cache.ts";
import type { Ingest } from "./ingest.ts";
import { MalformedObjectError } from "./report.ts";
import { isAfter } from "./resource-version.ts";
import { inSlices } from "./slices.ts";
import type { Store } from "./store.ts";

export interface IntakeOptions<T extends KubeObject> {
  readonly kind: Kind<T>;
  readonly store: Store<T>;
  readonly ingest: Ingest<T>;
  readonly clock: Clock;
  /** Called after the store has changed; must not throw. */
  readonly deliver: (event: CacheEvent<T>) => void;
  readonly skipped: (error: MalformedObjectError) => void;
}

type Change<T extends KubeObject> = Exclude<WatchEvent<T>, { type: "BOOKMARK" }>;

/** Brings the store to what the server sends, and keeps the place up to which the server's history has been seen. */
export class Intake<T extends KubeObject> {
  readonly #options: IntakeOptions<T>;
  /** Keys that the list in progress has shown. */
  #listed: Set<string> | undefined;
  #underWay: Promise<void> | undefined;
  #position: string | undefined;
  #listsBegun = 0;
  #listsEnded = 0;
  #hasSynced = false;

  constructor(options: IntakeOptions<T>) {
    this.#options = options;
  }

  /** The resourceVersion to watch from; undefined when a list is needed. */
  get position(): string | undefined {
    return this.#position;
  }

  /** Lists are numbered from 1. Versions are comparable between one list and the next, not beyond. */
  get listsBegun(): number {
    return this.#listsBegun;
  }

  /** The number of the last complete list. */
  get listsEnded(): number {
    return this.#listsEnded;
  }

  /** From the first complete list on, for as long as the server has the kind. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** The history is lost; a list is needed. What is in the store stays. */
  lose(): void {
    this.#position = undefined;
  }

  beginList(): void {
    this.lose();
    this.#listed = new Set();
    this.#listsBegun++;
  }

  /** Takes in what the server sent, in order. A promise only if that takes longer than a moment. */
  take(events: readonly WatchEvent<T>[]): Promise<void> | undefined {
    return this.alone(() =>
      inSlices(this.#options.clock, events, (event) => {
        if (event.type === "BOOKMARK") this.#bookmark(event.object.metadata.resourceVersion);
        else this.#change(event);
      }),
    );
  }

  /** What the list did not show is gone. */
  async endList(resourceVersion: string): Promise<void> {
    const { clock, store } = this.#options;
    const listed = this.#listed;
    await this.alone(() =>
      inSlices(clock, store.list(), ({ metadata }) => {
        if (!listed?.has(keyOf(metadata))) this.#remove(metadata);
      }),
    );
    this.#listed = undefined;
    this.#position = resourceVersion;
    this.#listsEnded = this.#listsBegun;
    this.#hasSynced = true;
  }

  /** Does work that may pause while nothing is taken in; at once unless there is such work already. */
  alone(work: () => Promise<void> | undefined): Promise<void> | undefined {
    const done = this.#underWay ? this.#underWay.then(work) : work();
    if (!done) return undefined;
    const over = done
      .catch(() => undefined)
      .then(() => {
        if (this.#underWay === over) this.#underWay = undefined;
      });
    this.#underWay = over;
    return done;
  }

  /** The server no longer has the kind, so everything is gone. */
  async clear(): Promise<void> {
    this.beginList();
    await this.endList("");
    this.lose();
    this.#hasSynced = false;
  }

  #bookmark(version: string | undefined): void {
    if (version === undefined || this.#position === undefined) return;
    // A server that was restored from a backup counts from an earlier version: what we hold is no part of its history.
    if (isAfter(this.#position, version)) this.lose();
    else this.#position = version;
  }

  #change({ type, object: sent }: Change<T>): void {
    const metadata = metadataOf(sent);
    const { resourceVersion } = metadata;
    if (this.#isRepeated(resourceVersion)) return;
    const object = this.#unlessMalformed(metadata, () => this.#options.ingest(sent));
    if (type === "DELETED") {
      this.#remove(metadata, object);
    } else {
      this.#listed?.add(keyOf(metadata));
      if (object) this.#unlessMalformed(metadata, () => this.#put(object));
    }
    if (this.#position !== undefined) this.#position = resourceVersion ?? this.#position;
  }

  /** A server that answers from a slightly older state may send again what we have seen. */
  #isRepeated(version: string | undefined): boolean {
    return version !== undefined && this.#position !== undefined && !isAfter(version, this.#position);
  }

  #unlessMalformed<R>(key: Key, work: () => R): R | undefined {
    try {
      return work();
    } catch (cause) {
      this.#options.skipped(new MalformedObjectError(this.#options.kind, key, cause));
      return undefined;
    }
  }

  #put(object: T): void {
    const { store, deliver } = this.#options;
    const { resourceVersion, uid } = object.metadata;
    const known = store.get(object.metadata);
    if (known?.metadata.resourceVersion === resourceVersion) return;
    if (known && known.metadata.uid !== uid) this.#remove(known.metadata);
    const old = store.get(object.metadata);
    store.set(object);
    if (old) deliver({ type: "updated", old, object, isResync: false });
    else deliver({ type: "added", object, isInitial: !this.#hasSynced });
  }

  /** Without its last state when nothing but the absence was noticed. */
  #remove(key: Key, lastState?: T): void {
    const { store, deliver } = this.#options;
    const old = store.get(key);
    if (!old) return;
    store.delete(key);
    deliver({ type: "deleted", object: lastState ?? old, isFinalStateKnown: lastState !== undefined });
  }
}

/** A malformed object may lack it, or a part of it. */
function metadataOf(sent: unknown): ObjectMeta {
  return (sent as Partial<KubeObject> | null)?.metadata ?? ({} as ObjectMeta);
}
