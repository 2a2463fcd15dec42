import type { Clock } from "@chaski/clock";
import { type Key, type KubeObject, keyOf, parseKey } from "@chaski/kube";
import type { KindClient } from "../client/client.ts";
import type { WriteOutcome } from "./cache.ts";
import { statusOf } from "./failure.ts";
import type { Intake } from "./intake.ts";
import { isAfter } from "./resource-version.ts";
import type { Store } from "./store.ts";

const RELIST_AFTER_MS = 30_000;
const SWEEP_EVERY_MS = 60_000;
/** The same for all: every pass asks about all that it has written, and nearly always all of it has been seen. */
const CAUGHT_UP = Promise.resolve();

export interface ReadYourWritesOptions<T extends KubeObject> {
  readonly client: Pick<KindClient<T>, "get">;
  readonly store: Store<T>;
  readonly intake: Intake<T>;
  readonly clock: Clock;
  readonly relist: () => void;
}

/** What the cache has yet to show of an object that we wrote. */
interface Expectation {
  /** The last list that was begun when we wrote. A later one has seen the write; only until then are versions compared. */
  readonly list: number;
  readonly wroteAtMs: number;
  readonly resourceVersion: string | undefined;
  readonly deletedUid: string | undefined;
  readonly isUnknown: boolean;
}

/** Lets a reader wait until the cache shows our own last write to an object. */
export class ReadYourWrites<T extends KubeObject> {
  readonly #options: ReadYourWritesOptions<T>;
  readonly #expectations = new Map<string, Expectation>();
  readonly #waiting = new Set<() => void>();
  #sweptAtMs = 0;

  constructor(options: ReadYourWritesOptions<T>) {
    this.#options = options;
  }

  wrote(key: Key, outcome: WriteOutcome): void {
    this.#expectations.set(keyOf(key), {
      list: this.#options.intake.listsBegun,
      wroteAtMs: this.#options.clock.monotonic(),
      // Until the cache has seen a creation, its absence does not mean that it has seen the deletion after it.
      resourceVersion: outcome.type === "answered" ? outcome.resourceVersion : this.#unmet(key)?.resourceVersion,
      deletedUid: outcome.type === "deleted" ? outcome.uid : undefined,
      isUnknown: outcome.type === "unknown",
    });
  }

  caughtUp(key: Key, signal: AbortSignal): Promise<void> {
    return signal.aborted || this.#unmet(key) ? this.#catchUp(key, signal) : CAUGHT_UP;
  }

  async #catchUp(key: Key, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#unmet(key)?.isUnknown) await this.#learnOutcome(key, signal);
    const expectation = this.#unmet(key);
    if (expectation) await this.#met(key, expectation, signal);
  }

  /** The cache has got further. */
  progressed(): void {
    for (const check of this.#waiting) check();
    const nowMs = this.#options.clock.monotonic();
    if (nowMs - this.#sweptAtMs < SWEEP_EVERY_MS) return;
    this.#sweptAtMs = nowMs;
    for (const key of this.#expectations.keys()) this.#unmet(parseKey(key));
  }

  async #learnOutcome(key: Key, signal: AbortSignal): Promise<void> {
    try {
      const { metadata } = await this.#options.client.get(key, { signal });
      this.wrote(key, { type: "answered", resourceVersion: metadata.resourceVersion ?? "" });
    } catch (error) {
      if (statusOf(error) !== 404) throw error;
      this.wrote(key, { type: "deleted", uid: this.#options.store.get(key)?.metadata.uid ?? "" });
    }
  }

  #met(key: Key, { list, wroteAtMs }: Expectation, signal: AbortSignal): Promise<void> {
    const { clock, intake, relist } = this.#options;
    return new Promise((resolve, reject) => {
      const timer = clock.after(wroteAtMs + RELIST_AFTER_MS - clock.monotonic(), () => {
        if (intake.listsBegun <= list) relist();
      });
      const settle = (then: () => void): void => {
        timer.cancel();
        this.#waiting.delete(check);
        signal.removeEventListener("abort", onAbort);
        then();
      };
      const check = (): void => {
        if (!this.#unmet(key)) settle(resolve);
      };
      const onAbort = (): void => settle(() => reject(signal.reason as Error));
      this.#waiting.add(check);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  #unmet(key: Key): Expectation | undefined {
    const expectation = this.#expectations.get(keyOf(key));
    if (!expectation || !this.#isMet(key, expectation)) return expectation;
    this.#expectations.delete(keyOf(key));
    return undefined;
  }

  #isMet(key: Key, { list, isUnknown, resourceVersion, deletedUid }: Expectation): boolean {
    if (this.#options.intake.listsEnded > list) return true;
    return !isUnknown && this.#hasReached(resourceVersion) && this.#isDeleted(key, deletedUid);
  }

  #hasReached(resourceVersion: string | undefined): boolean {
    const { position } = this.#options.intake;
    return resourceVersion === undefined || (position !== undefined && !isAfter(resourceVersion, position));
  }

  /** An object with finalizers stays for a while, visibly on its way out. */
  #isDeleted(key: Key, uid: string | undefined): boolean {
    if (uid === undefined) return true;
    const metadata = this.#options.store.get(key)?.metadata;
    return metadata?.uid !== uid || metadata.deletionTimestamp !== undefined;
  }
}
