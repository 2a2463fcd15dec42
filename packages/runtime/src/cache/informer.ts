import type { Clock, Random } from "@chaski/clock";
import type { Key, Kind, KubeObject } from "@chaski/kube";
import type { KindClient, Selection } from "../client/client.ts";
import type { CacheEvent, CacheOptions, CacheView, KindCache, WriteOutcome } from "./cache.ts";
import { createIngest } from "./ingest.ts";
import { Intake } from "./intake.ts";
import { ReadYourWrites } from "./read-your-writes.ts";
import { Reflector } from "./reflector.ts";
import type { ReflectorTimings } from "./reflector-timings.ts";
import type { CacheFact } from "./report.ts";
import { inSlices } from "./slices.ts";
import { Store } from "./store.ts";

const RESYNC_LEAST_MS = 1_000;

export interface InformerOptions<T extends KubeObject> extends CacheOptions<T> {
  readonly kind: Kind<T>;
  readonly client: Pick<KindClient<T>, "get" | "pages" | "watch">;
  readonly clock: Clock;
  readonly random: Random;
  readonly timings: ReflectorTimings;
  readonly isFrozen: boolean;
  readonly report: (fact: CacheFact) => void;
  readonly progressed: () => void;
  readonly isLookedFor: () => boolean;
}

interface Subscription<T extends KubeObject> {
  readonly handler: (event: CacheEvent<T>) => void;
  isActive: boolean;
}

/** One shared watch of one kind, and all who read it. */
export class Informer<T extends KubeObject> implements KindCache<T> {
  readonly kind: Kind<T>;
  readonly #options: InformerOptions<T>;
  readonly #store: Store<T>;
  readonly #everywhere: CacheView<T>;
  readonly #intake: Intake<T>;
  readonly #reflector: Reflector<T>;
  readonly #writes: ReadYourWrites<T>;
  #resyncMs: number;
  #subscriptions: readonly Subscription<T>[] = [];

  constructor(options: InformerOptions<T>) {
    const { kind, clock, client, report } = options;
    this.kind = kind;
    this.#options = options;
    this.#resyncMs = options.resyncMs ?? Infinity;
    this.#store = new Store(options.indices);
    this.#everywhere = this.#store.view();
    this.#intake = new Intake({
      kind,
      clock,
      store: this.#store,
      ingest: createIngest(options),
      deliver: (event) => this.#deliver(event),
      skipped: (error) => report({ type: "malformed object", error }),
    });
    this.#reflector = new Reflector({
      ...options,
      selection: selectionOf(options),
      intake: this.#intake,
      progressed: () => this.#progressed(),
    });
    this.#writes = new ReadYourWrites({
      client,
      clock,
      store: this.#store,
      intake: this.#intake,
      relist: () => this.#reflector.relist(),
    });
  }

  /** Serves another declaration too; only before it runs. */
  extend({ indices = {}, resyncMs, transform }: CacheOptions<T>): void {
    if (transform !== this.#options.transform)
      throw new Error(`${this.kind.kind} is declared with two transforms; one cache can't honour both`);
    for (const [name, valuesOf] of Object.entries(indices)) this.#store.addIndex(name, valuesOf);
    this.#resyncMs = Math.min(this.#resyncMs, resyncMs ?? Infinity);
  }

  get hasSynced(): boolean {
    return this.#intake.hasSynced && this.isServed;
  }

  get isWhole(): boolean {
    return Object.values(selectionOf(this.#options)).every((restriction) => restriction === undefined);
  }

  get isServed(): boolean {
    return this.#reflector.isServed;
  }

  get(name: string): Readonly<T> | undefined {
    return this.#everywhere.get(name);
  }

  list(): readonly Readonly<T>[] {
    return this.#everywhere.list();
  }

  byIndex(index: string, value: string): readonly Readonly<T>[] {
    return this.#everywhere.byIndex(index, value);
  }

  inNamespace(namespace: string): CacheView<T> {
    return this.#store.view(namespace);
  }

  subscribe(handler: (event: CacheEvent<T>) => void): () => void {
    const subscription = { handler, isActive: true };
    for (const object of this.#store.list()) this.#call(subscription, { type: "added", object, isInitial: true });
    this.#subscriptions = [...this.#subscriptions, subscription];
    return () => {
      subscription.isActive = false;
      this.#subscriptions = this.#subscriptions.filter(({ isActive }) => isActive);
    };
  }

  wrote(key: Key, outcome: WriteOutcome): void {
    const { namespace } = this.#options;
    if (namespace === undefined || namespace === key.namespace) this.#writes.wrote(key, outcome);
  }

  /** A kind that is not served may be so from now on. */
  look(): void {
    this.#reflector.look();
  }

  caughtUp(key: Key, signal: AbortSignal): Promise<void> {
    return this.#writes.caughtUp(key, signal);
  }

  /** Ends when the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#reflector.run(signal), this.#resyncUntil(signal)]);
  }

  async #resyncUntil(signal: AbortSignal): Promise<void> {
    if (this.#resyncMs === Infinity) return;
    const periodMs = Math.max(RESYNC_LEAST_MS, this.#resyncMs);
    while (!signal.aborted) {
      await this.#options.clock.sleep(periodMs, signal).catch(() => undefined);
      if (!signal.aborted) await this.#resync();
    }
  }

  /** Waits for changes that are being taken in, and leaves out what they have changed: its handlers have just heard. */
  async #resync(): Promise<void> {
    const objects = this.#store.list();
    await this.#intake.alone(() =>
      inSlices(this.#options.clock, objects, (object) => {
        if (this.#store.get(object.metadata) === object)
          this.#deliver({ type: "updated", old: object, object, isResync: true });
      }),
    );
  }

  #progressed(): void {
    this.#writes.progressed();
    this.#options.progressed();
  }

  #deliver(event: CacheEvent<T>): void {
    for (const subscription of this.#subscriptions) this.#call(subscription, event);
  }

  #call({ handler, isActive }: Subscription<T>, event: CacheEvent<T>): void {
    try {
      if (isActive) handler(event);
    } catch (error) {
      this.#options.report({ type: "handler failed", error });
    }
  }
}

function selectionOf<T extends KubeObject>(options: CacheOptions<T>): Selection {
  const { namespace, labelSelector, fieldSelector, isMetadataOnly } = options;
  return {
    ...(isMetadataOnly !== undefined && { isMetadataOnly }),
    ...(namespace !== undefined && { namespace }),
    ...(labelSelector !== undefined && { labelSelector }),
    ...(fieldSelector !== undefined && { fieldSelector }),
  };
}
