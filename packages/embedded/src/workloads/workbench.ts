// One worker for all controllers, so that each finds finished what those before it do: pods first, then what counts
// them, then what counts on those. A thousand pods that become ready at once are one new status, not a thousand.
import type { Clock, Timer } from "@chaski/clock";

const FIRST_RETRY_MS = 5;
const LONGEST_RETRY_MS = 1_000_000;

export class Workbench {
  readonly clock: Clock;
  readonly #queues: WorkQueue[] = [];
  #isRunning = false;
  #isStopped = false;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Queues that are added earlier come first. */
  queue(process: (key: string) => Promise<void>): WorkQueue {
    const queue = new WorkQueue(this.clock, { process, wake: () => this.#wake() });
    this.#queues.push(queue);
    return queue;
  }

  /** No timer is left when this returns, and none is set any more. */
  stop(): void {
    this.#isStopped = true;
    for (const queue of this.#queues) queue.stop();
  }

  #wake(): void {
    if (this.#isRunning || this.#isStopped) return;
    this.#isRunning = true;
    queueMicrotask(() => void this.#run());
  }

  async #run(): Promise<void> {
    for (let next = this.#next(); next && !this.#isStopped; next = this.#next()) await next.processOne();
    this.#isRunning = false;
  }

  #next(): WorkQueue | undefined {
    return this.#queues.find((queue) => queue.hasWork);
  }
}

interface Worker {
  readonly process: (key: string) => Promise<void>;
  readonly wake: () => void;
}

/** Keys to be looked at, as soon as may be or at some time. What fails is tried again, less and less often. */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #worker: Worker;
  readonly #keys = new Set<string>();
  readonly #dueMs = new Map<string, number>();
  /** One timer for all keys that are due together. */
  readonly #timers = new Map<number, { readonly timer: Timer; readonly keys: string[] }>();
  readonly #failures = new Map<string, number>();
  #isStopped = false;

  constructor(clock: Clock, worker: Worker) {
    this.#clock = clock;
    this.#worker = worker;
  }

  get hasWork(): boolean {
    return this.#keys.size > 0;
  }

  add(key: string): void {
    this.#keys.add(key);
    this.#worker.wake();
  }

  /** The earliest of several times for one key counts. */
  addAfter(key: string, delayMs: number): void {
    const dueMs = this.#clock.monotonic() + delayMs;
    if (this.#isStopped || (this.#dueMs.get(key) ?? Infinity) <= dueMs) return;
    this.#dueMs.set(key, dueMs);
    const waiting = this.#timers.get(dueMs);
    if (waiting) waiting.keys.push(key);
    else this.#timers.set(dueMs, { keys: [key], timer: this.#clock.after(delayMs, () => this.#fire(dueMs)) });
  }

  stop(): void {
    this.#isStopped = true;
    this.#keys.clear();
    for (const { timer } of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  async processOne(): Promise<void> {
    const [key] = this.#keys;
    if (key === undefined) return;
    this.#keys.delete(key);
    try {
      await this.#worker.process(key);
      this.#failures.delete(key);
    } catch {
      const failures = this.#failures.get(key) ?? 0;
      this.#failures.set(key, failures + 1);
      this.addAfter(key, Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures));
    }
  }

  #fire(dueMs: number): void {
    const keys = this.#timers.get(dueMs)?.keys ?? [];
    this.#timers.delete(dueMs);
    for (const key of keys.filter((candidate) => this.#dueMs.get(candidate) === dueMs)) {
      this.#dueMs.delete(key);
      this.add(key);
    }
  }
}
