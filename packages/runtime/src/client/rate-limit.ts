import type { Clock } from "@chaski/clock";

export interface RateLimit {
  readonly qps: number;
  readonly burst: number;
}

interface Waiting {
  readonly go: () => void;
  isGone: boolean;
}

/** A token bucket per cluster. Urgent requests (those that take weight away) pass the others that wait. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #limit: RateLimit;
  readonly #urgent: Waiting[] = [];
  readonly #ordinary: Waiting[] = [];
  #tokens: number;
  #filledAtMs: number;
  #isArmed = false;

  constructor(clock: Clock, limit: RateLimit) {
    this.#clock = clock;
    this.#limit = limit;
    this.#tokens = limit.burst;
    this.#filledAtMs = clock.monotonic();
  }

  async take(signal: AbortSignal, isUrgent = false): Promise<void> {
    signal.throwIfAborted();
    this.#fill();
    if (this.#tokens >= 1 && !this.#isAnyoneWaiting()) {
      this.#tokens -= 1;
      return;
    }
    await this.#wait(signal, isUrgent ? this.#urgent : this.#ordinary);
  }

  #wait(signal: AbortSignal, queue: Waiting[]): Promise<void> {
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
      queue.push(waiting);
      this.#arm();
    });
  }

  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    const delayMs = Math.max(1, Math.ceil(((1 - this.#tokens) / this.#limit.qps) * 1_000));
    this.#clock.after(delayMs, () => {
      this.#isArmed = false;
      this.#fill();
      while (this.#tokens >= 1 && this.#releaseNext()) this.#tokens -= 1;
      if (this.#isAnyoneWaiting()) this.#arm();
    });
  }

  #releaseNext(): boolean {
    const next = this.#urgent.shift() ?? this.#ordinary.shift();
    if (next?.isGone) return this.#releaseNext();
    next?.go();
    return next !== undefined;
  }

  #isAnyoneWaiting(): boolean {
    return this.#urgent.length + this.#ordinary.length > 0;
  }

  #fill(): void {
    const nowMs = this.#clock.monotonic();
    const gained = ((nowMs - this.#filledAtMs) / 1_000) * this.#limit.qps;
    this.#tokens = Math.min(this.#limit.burst, this.#tokens + gained);
    this.#filledAtMs = nowMs;
  }
}
