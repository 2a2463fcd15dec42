import type { Clock, Deadline, Timer } from "./clock.ts";
import { TimerHeap } from "./timer-heap.ts";
import { deadlineOn, sleepOn } from "./waiting.ts";

const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The machine's time. One `setTimeout` serves all timers: cheap to set and cancel, and right beyond 24.8 days. */
export class RealClock implements Clock {
  #heap = new TimerHeap();
  #armedForMs: number | undefined;
  #handle: NodeJS.Timeout | undefined;

  now(): number {
    return Date.now();
  }

  monotonic(): number {
    return performance.now();
  }

  after(delayMs: number, fire: () => void): Timer {
    const timer = this.#heap.add(performance.now() + Math.max(0, delayMs), fire);
    this.#arm();
    return {
      cancel: () => {
        timer.cancel();
        this.#arm();
      },
    };
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepOn((ms, fire) => this.after(ms, fire), delayMs, signal);
  }

  deadline(delayMs: number): Deadline {
    return deadlineOn((ms, fire) => this.after(ms, fire), delayMs);
  }

  #arm(): void {
    const dueMs = this.#heap.nextDueMs();
    if (dueMs === this.#armedForMs) return;
    clearTimeout(this.#handle);
    this.#armedForMs = dueMs;
    if (dueMs === undefined) return;
    const waitMs = Math.min(LONGEST_TIMEOUT_MS, Math.max(0, Math.ceil(dueMs - performance.now())));
    this.#handle = setTimeout(() => this.#fireDue(), waitMs);
  }

  #fireDue(): void {
    this.#armedForMs = undefined;
    try {
      while (this.#heap.fireNext(performance.now()));
    } finally {
      this.#arm();
    }
  }
}
