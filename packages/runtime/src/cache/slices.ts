import { scheduler } from "node:timers/promises";
import type { Clock } from "@chaski/clock";

const SLICE_MS = 10;

/** Handles the items in order and lets the rest of the process have its turn every few milliseconds. */
export async function inSlices<I>(clock: Clock, items: Iterable<I>, handle: (item: I) => void): Promise<void> {
  let sliceEndsMs = clock.monotonic() + SLICE_MS;
  for (const item of items) {
    handle(item);
    if (clock.monotonic() < sliceEndsMs) continue;
    await scheduler.yield();
    sliceEndsMs = clock.monotonic() + SLICE_MS;
  }
}
