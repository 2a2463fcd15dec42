import type { Clock, Timer } from "@chaski/clock";
import { Backoff, type BackoffOptions } from "./backoff.ts";
import { Fifo, RevocableFifo } from "./fifo.ts";
import { type Rate, TokenBucket } from "./token-bucket.ts";

/** `live`: somebody changed something. `background`: the first list, a resync; handed out when nothing live waits. */
export type Priority = "live" | "background";

export interface QueueObserver {
  onAdd(depth: number): void;
  onTake(depth: number, waitedMs: number): void;
  onDone(workedMs: number): void;
  onRetry(): void;
}

export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly backoff?: BackoffOptions;
  /** Shared by all keys that are added with a rate limit. */
  readonly rate?: Rate;
  readonly observer?: QueueObserver;
}

const DEFAULT_BACKOFF: BackoffOptions = { baseMs: 5, capMs: 1_000_000 };
const DEFAULT_RATE: Rate = { perSecond: 10, burst: 100 };

/** What is kept of keys that are neither queued nor in process: most of them come again, and soon. */
const IDLE_MAX = 16_384;

/** A key that is queued, processed, both or idle. `queuedAs` of one in process means: added again meanwhile. */
interface Item {
  readonly key: string;
  queuedAs: Priority | undefined;
  isProcessing: boolean;
  addedAtMs: number;
  startedAtMs: number;
}

interface Delayed {
  readonly dueMs: number;
  readonly timer: Timer;
}

/** Keys to work on: each at most once in the queue, and never twice at the same time. */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #observer: QueueObserver | undefined;
  readonly #backoff: Backoff;
  readonly #bucket: TokenBucket;
  readonly #items = new Map<string, Item>();
  readonly #live = new Fifo<Item>();
  readonly #background = new RevocableFifo<Item>();
  readonly #delayed = new Map<string, Delayed>();
  readonly #getters = new Fifo<(key: string | undefined) => void>();
  #depth = 0;
  #processing = 0;
  #isShutDown = false;
  #onIdle: (() => void)[] = [];

  constructor(options: WorkQueueOptions) {
    this.#clock = options.clock;
    this.#observer = options.observer;
    this.#backoff = new Backoff(options.backoff ?? DEFAULT_BACKOFF);
    this.#bucket = new TokenBucket(options.clock, options.rate ?? DEFAULT_RATE);
  }

  /** How many keys wait to be handed out, delayed ones not counted. */
  get depth(): number {
    return this.#depth;
  }

  /** Queues the key. A queued one stays where it is (or moves up to live); one in process is queued when it is done. */
  add(key: string, priority: Priority = "live"): void {
    if (this.#isShutDown) return;
    const item = this.#items.get(key) ?? this.#newItem(key);
    if (item.queuedAs === undefined) this.#queue(item, priority);
    else if (item.queuedAs === "background" && priority === "live") this.#promote(item);
  }

  /** Adds after the delay; of two delays the one that ends earlier wins. */
  addAfter(key: string, delayMs: number, priority: Priority = "live"): void {
    if (this.#isShutDown) return;
    if (delayMs <= 0) return this.add(key, priority);
    const dueMs = this.#clock.monotonic() + delayMs;
    const earlier = this.#delayed.get(key);
    if (earlier && earlier.dueMs <= dueMs) return;
    earlier?.timer.cancel();
    const timer = this.#clock.after(delayMs, () => {
      this.#delayed.delete(key);
      this.add(key, priority);
    });
    this.#delayed.set(key, { dueMs, timer });
  }

  /** Drops the delayed add of a key, if there is one. */
  cancelDelayed(key: string): void {
    this.#delayed.get(key)?.timer.cancel();
    this.#delayed.delete(key);
  }

  /** Adds after the key's own backoff or the shared bucket's delay, whichever is longer. */
  addRateLimited(key: string): void {
    if (this.#isShutDown) return;
    this.#observer?.onRetry();
    this.addAfter(key, Math.max(this.#backoff.next(key), this.#bucket.reserve()));
  }

  failures(key: string): number {
    return this.#backoff.failures(key);
  }

  /** The key succeeded, or nobody wants it any more: its next failure is the first. */
  forget(key: string): void {
    this.#backoff.forget(key);
  }

  /** The next key, when there is one; undefined once the queue is shut down and empty. Owes a `done`. */
  get(): Promise<string | undefined> {
    const key = this.take();
    if (key !== undefined || this.#isShutDown) return Promise.resolve(key);
    return new Promise((resolve) => this.#getters.push(resolve));
  }

  /** The next key, if there is one now. Owes a `done`. */
  take(): string | undefined {
    const item = this.#live.shift() ?? this.#background.shift();
    if (!item) return undefined;
    this.#depth--;
    this.#processing++;
    item.queuedAs = undefined;
    item.isProcessing = true;
    if (this.#observer) {
      item.startedAtMs = this.#clock.monotonic();
      this.#observer.onTake(this.#depth, item.startedAtMs - item.addedAtMs);
    }
    return item.key;
  }

  done(key: string): void {
    const item = this.#items.get(key);
    if (!item?.isProcessing) return;
    item.isProcessing = false;
    this.#processing--;
    this.#observer?.onDone(this.#clock.monotonic() - item.startedAtMs);
    if (item.queuedAs !== undefined) this.#enqueue(item);
    else if (this.#items.size > IDLE_MAX) this.#dropIdle();
    if (this.#isShutDown) this.#endIfIdle();
  }

  /** For how long each key that is in process has been worked on. */
  *workedMs(): Iterable<number> {
    const nowMs = this.#clock.monotonic();
    for (const item of this.#items.values()) if (item.isProcessing) yield nowMs - item.startedAtMs;
  }

  /** Refuses what is added from now on and wakes whoever waits; what is queued is still handed out. */
  shutDown(): void {
    if (this.#isShutDown) return;
    this.#isShutDown = true;
    for (const { timer } of this.#delayed.values()) timer.cancel();
    this.#delayed.clear();
    for (let getter = this.#getters.shift(); getter; getter = this.#getters.shift()) getter(undefined);
  }

  /** Shuts down, then waits until all that was queued or in process is done. */
  drain(): Promise<void> {
    this.shutDown();
    return new Promise((resolve) => {
      this.#onIdle.push(resolve);
      this.#endIfIdle();
    });
  }

  #newItem(key: string): Item {
    const item: Item = {
      key,
      queuedAs: undefined,
      isProcessing: false,
      addedAtMs: 0,
      startedAtMs: 0,
    };
    this.#items.set(key, item);
    return item;
  }

  #dropIdle(): void {
    if (this.#items.size < 2 * (this.#depth + this.#processing)) return;
    for (const item of this.#items.values())
      if (item.queuedAs === undefined && !item.isProcessing) this.#items.delete(item.key);
  }

  #queue(item: Item, priority: Priority): void {
    item.queuedAs = priority;
    if (this.#observer) item.addedAtMs = this.#clock.monotonic();
    if (!item.isProcessing) this.#enqueue(item);
    this.#observer?.onAdd(this.#depth);
  }

  #promote(item: Item): void {
    item.queuedAs = "live";
    if (item.isProcessing) return;
    this.#background.delete(item);
    this.#live.push(item);
  }

  #enqueue(item: Item): void {
    this.#depth++;
    (item.queuedAs === "live" ? this.#live : this.#background).push(item);
    if (this.#getters.length > 0) this.#getters.shift()?.(this.take());
  }

  #endIfIdle(): void {
    if (this.#depth > 0 || this.#processing > 0) return;
    for (const resolve of this.#onIdle) resolve();
    this.#onIdle = [];
  }
}
