import type { Clock, Timer } from "@chaski/clock";

/** The time that one call has: until its deadline or until the caller's signal, whichever comes first. */
export class CallScope implements Disposable {
  readonly #abort = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #clock: Clock;
  readonly #endsAtMs: number;
  readonly #timer: Timer;
  readonly deadlineMs: number;
  /** Whether the request has been handed to the transport at least once. */
  wasSent = false;

  constructor(clock: Clock, deadlineMs: number, caller: AbortSignal | undefined) {
    this.#clock = clock;
    this.#caller = caller;
    this.deadlineMs = deadlineMs;
    this.#endsAtMs = clock.monotonic() + deadlineMs;
    this.#timer = clock.after(deadlineMs, () =>
      this.#abort.abort(new DOMException(`no answer within ${deadlineMs} ms`, "TimeoutError")),
    );
    if (caller?.aborted) this.#cancel();
    else caller?.addEventListener("abort", this.#cancel, { once: true });
  }

  readonly #cancel = (): void => this.#abort.abort(this.#caller?.reason);

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isExpired(): boolean {
    return this.signal.aborted && !this.isCancelled;
  }

  get isCancelled(): boolean {
    return this.#caller?.aborted ?? false;
  }

  get cancelReason(): unknown {
    return this.#caller?.reason;
  }

  get remainingMs(): number {
    return this.#endsAtMs - this.#clock.monotonic();
  }

  /** The answer has begun: from here on only the caller's signal ends it. */
  endDeadline(): void {
    this.#timer.cancel();
  }

  /** Ends what is still under way. */
  end(): void {
    this.#abort.abort();
  }

  [Symbol.dispose](): void {
    this.#timer.cancel();
    this.#caller?.removeEventListener("abort", this.#cancel);
  }
}

/** Settles as the promise does, or rejects as soon as the signal aborts, whatever the promise does then. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
