/** A timer that has not fired yet. Cancelling a fired or cancelled one does nothing. */
export interface Timer {
  cancel(): void;
}

/** Time, handed in. Everything that waits, waits on one of these, so that a test or a simulation can move it. */
export interface Clock {
  /** Milliseconds since 1970: for time stamps. */
  now(): number;
  /** Milliseconds that never go backwards: for durations. Only differences mean something. */
  monotonic(): number;
  /** Fires once `delayMs` from now; any delay, also one beyond the 24.8 days of setTimeout. */
  after(delayMs: number, fire: () => void): Timer;
  /** Resolves after the delay; rejects with the signal's reason when that aborts first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** A signal that aborts with a TimeoutError after the delay; cancel it when the work is done. */
  deadline(delayMs: number): Deadline;
}

export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  cancel(): void;
}
