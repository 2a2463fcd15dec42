import type { Clock, Deadline, Timer } from "./clock.ts";
import { TimerHeap } from "./timer-heap.ts";
import { deadlineOn, sleepOn } from "./waiting.ts";

/**
 * Time that stands still until it is moved. Between two timers every promise that can settle does, so that what a
 * timer sets off is finished before the next one fires.
 */
export class VirtualClock implements Clock {
  #heap = new TimerHeap();
  #nowMs: number;
  readonly #startMs: number;

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#nowMs = startMs;
    this.#startMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  monotonic(): number {
    return this.#nowMs - this.#startMs;
  }

  after(delayMs: number, fire: () => void): Timer {
    return this.#heap.add(this.#nowMs + Math.max(0, delayMs), fire);
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepOn((ms, fire) => this.after(ms, fire), delayMs, signal);
  }

  deadline(delayMs: number): Deadline {
    return deadlineOn((ms, fire) => this.after(ms, fire), delayMs);
  }

  /** Moves time forward, firing what falls due on the way. */
  async advance(byMs: number): Promise<void> {
    const untilMs = this.#nowMs + byMs;
    await this.settle();
    for (let dueMs = this.#heap.nextDueMs(); dueMs !== undefined && dueMs <= untilMs; dueMs = this.#heap.nextDueMs()) {
      this.#nowMs = Math.max(this.#nowMs, dueMs);
      this.#heap.fireNext(this.#nowMs);
      await this.settle();
    }
    this.#nowMs = untilMs;
  }

  /** Jumps from timer to timer until the condition holds; fails when no timer is left or the limit is passed. */
  async advanceUntil(condition: () => boolean, limitMs = 24 * 3_600_000): Promise<void> {
    const limitAtMs = this.#nowMs + limitMs;
    await this.settle();
    while (!condition()) {
      const dueMs = this.#heap.nextDueMs();
      if (dueMs === undefined)
        throw new Error("the condition does not hold, and no timer is left that could change it");
      if (dueMs > limitAtMs) throw new Error(`the condition does not hold after ${limitMs} ms of virtual time`);
      await this.advance(dueMs - this.#nowMs);
    }
  }

  /** Lets every promise settle that can without time moving. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}
