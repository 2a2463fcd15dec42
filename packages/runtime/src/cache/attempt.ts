import type { Clock, Timer } from "@chaski/clock";

/** Nothing came for so long that the connection must be dead. */
export class SilentWatchError extends Error {
  override readonly name = "SilentWatchError";

  constructor(silenceMs: number) {
    super(`the server has sent nothing for ${silenceMs} ms, not even a bookmark`);
  }
}

/** One try at following the server: ended by the server, by its silence, or by us. */
export class Attempt {
  readonly #clock: Clock;
  readonly #silenceMs: number;
  readonly #outer: AbortSignal;
  readonly #controller = new AbortController();
  readonly #onOuterAbort = (): void => this.end(this.#outer.reason);
  readonly #startedMs: number;
  #firstHeardMs: number | undefined;
  #lastHeardMs: number;
  #alarm: Timer;

  constructor(clock: Clock, silenceMs: number, outer: AbortSignal) {
    this.#clock = clock;
    this.#silenceMs = silenceMs;
    this.#outer = outer;
    this.#startedMs = this.#lastHeardMs = clock.monotonic();
    this.#alarm = clock.after(silenceMs, () => this.#checkSilence());
    outer.addEventListener("abort", this.#onOuterAbort, { once: true });
    if (outer.aborted) this.#onOuterAbort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The server has answered at all. */
  get hasHeard(): boolean {
    return this.#firstHeardMs !== undefined;
  }

  get tookMs(): number {
    return this.#clock.monotonic() - this.#startedMs;
  }

  /** How long the server has been talking to us. */
  get healthyMs(): number {
    return this.#lastHeardMs - (this.#firstHeardMs ?? this.#lastHeardMs);
  }

  heard(): void {
    this.#lastHeardMs = this.#clock.monotonic();
    this.#firstHeardMs ??= this.#lastHeardMs;
  }

  end(reason: unknown): void {
    this.#controller.abort(reason);
  }

  close(): void {
    this.#alarm.cancel();
    this.#outer.removeEventListener("abort", this.#onOuterAbort);
  }

  // One timer that looks back, instead of one per event.
  #checkSilence(): void {
    const leftMs = this.#lastHeardMs + this.#silenceMs - this.#clock.monotonic();
    if (leftMs > 0) this.#alarm = this.#clock.after(leftMs, () => this.#checkSilence());
    else this.end(new SilentWatchError(this.#silenceMs));
  }
}
