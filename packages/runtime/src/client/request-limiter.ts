import type { Clock } from "@chaski/clock";
import { type Rate, TokenBucket } from "../queue/token-bucket.ts";

interface Waiting {
  readonly go: () => void;
  isGone: boolean;
}

/** One cluster's requests per second. Urgent ones (those that take weight away) pass the others that wait. */
export class RequestLimiter {
  readonly #clock: Clock;
  readonly #bucket: TokenBucket;
  readonly #intervalMs: number;
  readonly #urgent: Waiting[] = [];
  readonly #ordinary: Waiting[] = [];
  #isArmed = false;

  constructor(clock: Clock, rate: Rate) {
    this.#clock = clock;
    this.#bucket = new TokenBucket(clock, rate);
    this.#intervalMs = Math.ceil(1_000 / rate.perSecond);
  }

  async take(signal: AbortSignal, isUrgent = false): Promise<void> {
    signal.throwIfAborted();
    if (!this.#isAnyoneWaiting() && this.#bucket.tryTake()) return;
    await this.#wait(signal, isUrgent ? this.#urgent : this.#ordinary);
  }

  #wait(signal: AbortSignal, line: Waiting[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        waiting.isGone = true;
        reject(signal.reason as Error);
      };
      const go = (): void => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      };
      const waiting: Waiting = { go, isGone: false };
      signal.addEventListener("abort", onAbort, { once: true });
      line.push(waiting);
      this.#arm();
    });
  }

  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    this.#clock.after(this.#intervalMs, () => {
      this.#isArmed = false;
      this.#dropGone();
      while (this.#isAnyoneWaiting() && this.#bucket.tryTake()) {
        (this.#urgent.shift() ?? this.#ordinary.shift())?.go();
        this.#dropGone();
      }
      if (this.#isAnyoneWaiting()) this.#arm();
    });
  }

  #dropGone(): void {
    while (this.#urgent[0]?.isGone) this.#urgent.shift();
    while (this.#ordinary[0]?.isGone) this.#ordinary.shift();
  }

  #isAnyoneWaiting(): boolean {
    return this.#urgent.length + this.#ordinary.length > 0;
  }
}
