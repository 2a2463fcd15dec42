import { type EventLoopUtilization, performance } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import type { Clock, Timer } from "@chaski/clock";

/** Up to here, marking all of it at once holds the process up for some tens of milliseconds. */
export const SMALL_HEAP_BYTES = 64 * 2 ** 20;
/** Of what lives in a frugal heap: by how much it may grow before V8 collects. */
export const GROWTH_SHARE = 0.2;
const BUSY_UTILIZATION = 0.1;
const LOOK_EVERY_MS = 1_000;

/**
 * Keeps the heap close to what lives in it, until it is disposed. V8 lets one that grows fast become a multiple of that,
 * and most of what comes by a watch is soon garbage.
 */
export class FrugalHeap implements Disposable {
  readonly #clock: Clock;
  #since: EventLoopUtilization | undefined;
  #flags: string | undefined;
  #next: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    // Little survives in a young generation as small as ours. Helpers gain nothing there, and one that waits for a core
    // of a busy machine holds everything up.
    setFlagsFromString("--no-parallel-scavenge");
    this.#look(true);
  }

  [Symbol.dispose](): void {
    this.#next?.cancel();
  }

  #look(isBusy: boolean): void {
    const flags = flagsOf(getHeapStatistics().used_heap_size < SMALL_HEAP_BYTES, isBusy);
    if (flags !== this.#flags) setFlagsFromString(flags);
    this.#flags = flags;
    this.#since = performance.eventLoopUtilization();
    this.#next = this.#clock.after(LOOK_EVERY_MS, () => this.#look(this.#isBusy()));
  }

  #isBusy(): boolean {
    return performance.eventLoopUtilization(this.#since).utilization > BUSY_UTILIZATION;
  }
}

function flagsOf(isSmall: boolean, isBusy: boolean): string {
  if (isBusy && !isSmall) return "--no-optimize-for-size --heap-growing-percent=50 --incremental-marking";
  // Between two collections it may grow by 2 MB and not by 8, which for a small one is much, and for an idle one waste.
  const frugal = `--optimize-for-size --heap-growing-percent=${GROWTH_SHARE * 100}`;
  // Marking beside the work takes more CPU than marking at once, and keeps what has died meanwhile.
  return isBusy ? `${frugal} --no-incremental-marking` : `${frugal} --incremental-marking`;
}
