export interface BackoffOptions {
  readonly baseMs: number;
  readonly capMs: number;
}

/** How long a key waits after its n-th failure in a row: doubling, up to the cap. */
export class Backoff {
  readonly #options: BackoffOptions;
  readonly #failures = new Map<string, number>();

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  next(key: string): number {
    const failures = this.failures(key);
    this.#failures.set(key, failures + 1);
    return Math.min(this.#options.capMs, this.#options.baseMs * 2 ** failures);
  }

  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  forget(key: string): void {
    if (this.#failures.size > 0) this.#failures.delete(key);
  }
}
