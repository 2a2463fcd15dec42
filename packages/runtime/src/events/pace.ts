/** A server that takes so much longer than it once took has more to do than it can. */
const LATE_MS = 10;
/** Of the time by which it was late: of what a busy server has, events take a tenth. */
const PAUSE_FACTOR = 9;
const PAUSE_MS_MAX = 1_000;
/** With each answer, of how quick the server once was: it may have moved farther away. */
const FORGOTTEN_MS = 0.05;

/**
 * How long to leave a server in peace after an answer. Its quickest answer tells how far away it is: what an answer took
 * longer than that is what the server is busy with, and what people wait for comes first.
 */
export class Pace {
  #quickestMs = Number.POSITIVE_INFINITY;
  #pauseMs = 0;

  answered(tookMs: number): void {
    this.#quickestMs = Math.min(this.#quickestMs + FORGOTTEN_MS, tookMs);
    const lateMs = tookMs - this.#quickestMs;
    this.#pauseMs = lateMs > LATE_MS ? Math.min(Math.round(lateMs * PAUSE_FACTOR), PAUSE_MS_MAX) : 0;
  }

  /** Once for each answer. */
  takePauseMs(): number {
    const pauseMs = this.#pauseMs;
    this.#pauseMs = 0;
    return pauseMs;
  }
}
