import { performance } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Clock, Timer } from "@chaski/clock";
import { SMALL_HEAP_BYTES } from "./heap.ts";

const LOOK_EVERY_MS = 250;
/** Less than that: nobody waits for anything. */
const QUIET_UTILIZATION = 0.01;
/** Below what makes V8 begin by itself, which it does in the midst of work. */
const OLD_GROWTH_BYTES = 2 ** 20;
const YOUNG_BYTES = 2 ** 18;

export interface HeapUse {
  readonly youngBytes: number;
  readonly oldBytes: number;
}

export type Collection = "minor" | "major";
type Collect = (options: { readonly type: Collection; readonly execution: "sync" }) => void;

/**
 * Collects garbage while nothing is to be done, until it is disposed. A release is a few busy moments with seconds
 * between them; V8 would collect when memory is asked for, which is in those moments.
 */
export class QuietCollection implements Disposable {
  readonly #clock: Clock;
  readonly #collect = exposedCollect();
  #since = performance.eventLoopUtilization();
  #oldBytesLeft = 0;
  #next: Timer;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#next = this.#lookLater();
  }

  [Symbol.dispose](): void {
    this.#next.cancel();
  }

  #lookLater(): Timer {
    return this.#clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  #look(): void {
    if (performance.eventLoopUtilization(this.#since).utilization < QUIET_UTILIZATION) this.#collectWhatIsDue();
    this.#since = performance.eventLoopUtilization();
    this.#next = this.#lookLater();
  }

  #collectWhatIsDue(): void {
    const type = collectionDue(heapUse(), this.#oldBytesLeft);
    if (type === undefined) return;
    this.#collect({ type, execution: "sync" });
    if (type === "major") this.#oldBytesLeft = heapUse().oldBytes;
  }
}

/** What is worth collecting now; a large heap takes too long to be marked at once. */
export function collectionDue({ youngBytes, oldBytes }: HeapUse, oldBytesLeft: number): Collection | undefined {
  if (oldBytes < SMALL_HEAP_BYTES && oldBytes - oldBytesLeft >= OLD_GROWTH_BYTES) return "major";
  return youngBytes >= YOUNG_BYTES ? "minor" : undefined;
}

function heapUse(): HeapUse {
  const bytesOf = (isMeant: (space: string) => boolean): number =>
    getHeapSpaceStatistics().reduce((sum, space) => sum + (isMeant(space.space_name) ? space.space_used_size : 0), 0);
  const isYoung = (space: string): boolean => space.startsWith("new_");
  return { youngBytes: bytesOf(isYoung), oldBytes: bytesOf((space) => !isYoung(space)) };
}

/** V8 shows it to contexts that are made while the flag is set. */
function exposedCollect(): Collect {
  setFlagsFromString("--expose-gc");
  try {
    return runInNewContext("gc") as Collect;
  } finally {
    setFlagsFromString("--no-expose-gc");
  }
}
