import type { Clock, Timer } from "@chaski/clock";

const FIRST_RETRY_MS = 5;
const LONGEST_RETRY_MS = 1_000_000;

interface Waiting {
  readonly dueMs: number;
  readonly timer: Timer;
}

/** Keys to be looked at, one after the other, as soon as may be. What fails is tried again, less and less often. */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #process: (key: string) => Promise<void>;
  readonly #keys = new Set<string>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #failures = new Map<string, number>();
  #isRunning = false;
  #isStopped = false;

  constructor(clock: Clock, process: (key: string) => Promise<void>) {
    this.#clock = clock;
    this.#process = process;
  }

  add(key: string): void {
    if (this.#isStopped) return;
    this.#keys.add(key);
    if (this.#isRunning) return;
    this.#isRunning = true;
    queueMicrotask(() => void this.#run());
  }

  /** The earliest of several times for one key counts. */
  addAfter(key: string, delayMs: number): void {
    const dueMs = this.#clock.monotonic() + delayMs;
    const waiting = this.#waiting.get(key);
    if (this.#isStopped || (waiting && waiting.dueMs <= dueMs)) return;
    waiting?.timer.cancel();
    const timer = this.#clock.after(delayMs, () => {
      this.#waiting.delete(key);
      this.add(key);
    });
    this.#waiting.set(key, { dueMs, timer });
  }

  stop(): void {
    this.#isStopped = true;
    this.#keys.clear();
    for (const { timer } of this.#waiting.values()) timer.cancel();
    this.#waiting.clear();
  }

  async #run(): Promise<void> {
    for (const key of this.#keys) {
      this.#keys.delete(key);
      await this.#try(key);
    }
    this.#isRunning = false;
  }

  async #try(key: string): Promise<void> {
    try {
      await this.#process(key);
      this.#failures.delete(key);
    } catch {
      const failures = this.#failures.get(key) ?? 0;
      this.#failures.set(key, failures + 1);
      this.addAfter(key, Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures));
    }
  }
}
