import type { Clock } from "@chaski/clock";

/** Until when we may act. Whoever renews extends it; whoever writes asks it at the moment of the write. */
export interface Standing {
  readonly isValid: boolean;
  /** Valid for so long, counted from now. */
  extend(forMs: number): void;
  /** For ever: a lease that was lost is not won again by the same process. */
  end(): void;
}

export class LocalStanding implements Standing {
  readonly #clock: Clock;
  #untilMs = -Infinity;
  #hasEnded = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isValid(): boolean {
    return !this.#hasEnded && this.#clock.monotonic() < this.#untilMs;
  }

  extend(forMs: number): void {
    this.#untilMs = this.#clock.monotonic() + forMs;
  }

  end(): void {
    this.#hasEnded = true;
  }
}

const ENDED = -1n;

/**
 * Shared between threads. Every thread has a clock with a zero of its own, so this one counts on the machine's
 * monotonic clock, which all of them and every stopped and continued process agree on.
 */
export class SharedStanding implements Standing {
  readonly buffer: SharedArrayBuffer;
  readonly #untilNs: BigInt64Array;

  constructor(buffer = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#untilNs = new BigInt64Array(buffer);
  }

  get isValid(): boolean {
    return process.hrtime.bigint() < Atomics.load(this.#untilNs, 0);
  }

  extend(forMs: number): void {
    const untilNs = process.hrtime.bigint() + BigInt(Math.floor(forMs * 1e6));
    const known = Atomics.load(this.#untilNs, 0);
    if (known !== ENDED) Atomics.compareExchange(this.#untilNs, 0, known, untilNs);
  }

  end(): void {
    Atomics.store(this.#untilNs, 0, ENDED);
  }
}
