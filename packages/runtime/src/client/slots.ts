import { abortable } from "./call-scope.ts";

/** At most so many at a time; the others wait in line. */
export class Slots {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves with what gives the slot back; rejects when the signal aborts. */
  async enter(signal: AbortSignal | undefined): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    return () => this.#leave();
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const turn = Promise.withResolvers<void>();
    this.#line.push(turn.resolve);
    try {
      await (signal ? abortable(turn.promise, signal) : turn.promise);
    } catch (error) {
      const place = this.#line.indexOf(turn.resolve);
      if (place >= 0) this.#line.splice(place, 1);
      else this.#leave();
      throw error;
    }
  }

  #leave(): void {
    const next = this.#line.shift();
    if (next) next();
    else this.#free += 1;
  }
}
