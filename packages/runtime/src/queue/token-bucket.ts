import type { Clock } from "@chaski/clock";

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Tokens that refill steadily up to the burst. A token may be taken in advance: the price is a longer delay. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #rate: Rate;
  #tokens: number;
  #filledAtMs: number;

  constructor(clock: Clock, rate: Rate) {
    this.#clock = clock;
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#filledAtMs = clock.monotonic();
  }

  /** Takes a token; how long to wait until it is really there. */
  reserve(): number {
    this.#refill();
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#rate.perSecond) * 1_000;
  }

  /** Takes a token only if there is one. */
  tryTake(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  #refill(): void {
    const nowMs = this.#clock.monotonic();
    const gained = ((nowMs - this.#filledAtMs) / 1_000) * this.#rate.perSecond;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + gained);
    this.#filledAtMs = nowMs;
  }
}
