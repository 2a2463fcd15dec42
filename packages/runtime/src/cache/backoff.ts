import type { Random } from "@chaski/clock";

export interface BackoffLimits {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** Delays that double from the first to the most, each stretched by up to itself so that clients don't march in step. */
export class Backoff {
  readonly #limits: BackoffLimits;
  readonly #random: Random;
  #nextMs: number;

  constructor(limits: BackoffLimits, random: Random) {
    this.#limits = limits;
    this.#random = random;
    this.#nextMs = limits.firstMs;
  }

  next(): number {
    const delayMs = this.#nextMs;
    this.#nextMs = Math.min(this.#limits.mostMs, 2 * delayMs);
    return delayMs * (1 + this.#random());
  }

  reset(): void {
    this.#nextMs = this.#limits.firstMs;
  }
}
