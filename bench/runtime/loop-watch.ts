const EVERY_MS = 10;

/** The longest time that the event loop's timers had to wait, and how much of it our own thread worked. */
export interface LongestBlock {
  readonly blockMs: number;
  readonly blockCpuMs: number;
}

/** On a busy machine a block is also time without a core; what the thread worked tells one from the other. */
export class LoopWatch {
  #longest: LongestBlock = { blockMs: 0, blockCpuMs: 0 };
  #lastMs = 0;
  #lastCpuMs = 0;
  #timer: NodeJS.Timeout | undefined;

  start(): void {
    this.reset();
    this.#timer ??= setInterval(() => this.#tick(), EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  reset(): void {
    this.#longest = { blockMs: 0, blockCpuMs: 0 };
    this.#lastMs = performance.now();
    this.#lastCpuMs = threadCpuMs();
  }

  get longest(): LongestBlock {
    this.#tick();
    return this.#longest;
  }

  #tick(): void {
    const [nowMs, cpuMs] = [performance.now(), threadCpuMs()];
    const blockMs = Math.max(this.#longest.blockMs, nowMs - this.#lastMs - EVERY_MS);
    const blockCpuMs = Math.max(this.#longest.blockCpuMs, Math.min(cpuMs - this.#lastCpuMs, nowMs - this.#lastMs));
    this.#longest = { blockMs, blockCpuMs };
    [this.#lastMs, this.#lastCpuMs] = [nowMs, cpuMs];
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
