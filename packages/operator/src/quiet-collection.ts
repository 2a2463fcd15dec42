import { performance } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Clock, Timer } from "@chaski/clock";
import { GROWTH_SHARE, SMALL_HEAP_BYTES } from "./heap.ts";

const LOOK_EVERY_MS = 250;
/** Less than that: nobody waits for anything. */
const QUIET_UTILIZATION = 0.01;
const YOUNG_BYTES = 2 ** 18;
/** The least that V8 lets a heap grow by is twice as much. */
const OLD_GROWTH_BYTES = 2 ** 20;

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
  #oldBytesLeft = Infinity;
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
    const { utilization } = performance.eventLoopUtilization(this.#since);
    const use = heapUse();
    // V8 collects by itself as well.
    this.#oldBytesLeft = Math.min(this.#oldBytesLeft, use.oldBytes);
    const due = utilization < QUIET_UTILIZATION ? collectionDue(use, this.#oldBytesLeft) : undefined;
    if (due) this.#collect({ type: due, execution: "sync" });
    if (due === "major") this.#oldBytesLeft = heapUse().oldBytes;
    this.#since = performance.eventLoopUtilization();
    this.#next = this.#lookLater();
  }
}

/** What is worth collecting before V8 does; a large heap takes too long to be marked at once. */
export function collectionDue({ youngBytes, oldBytes }: HeapUse, oldBytesLeft: number): Collection | undefined {
  const growth = Math.max(OLD_GROWTH_BYTES, (oldBytesLeft * GROWTH_SHARE) / 2);
  if (oldBytes < SMALL_HEAP_BYTES && oldBytes - oldBytesLeft >= growth) return "major";
  return youngBytes >= YOUNG_BYTES ? "minor" : undefined;
}

function heapUse(): HeapUse {
  const use = { youngBytes: 0, oldBytes: 0 };
  for (const { space_name: space, space_used_size: bytes } of getHeapSpaceStatistics())
    use[space.startsWith("new_") ? "youngBytes" : "oldBytes"] += bytes;
  return use;
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
