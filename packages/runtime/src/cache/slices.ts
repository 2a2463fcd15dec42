import { scheduler } from "node:timers/promises";
import type { Clock } from "@chaski/clock";

const SLICE_MS = 10;

/**
 * When the event loop's present turn has lasted long enough. Of the whole process, however many calls share the turn: a
 * busy connection hands over many batches in one.
 */
const turnEndsMs = new WeakMap<Clock, number>();

/** Handles the items in order and lets the rest of the process have its turn every few milliseconds. */
export async function inSlices<I>(clock: Clock, items: Iterable<I>, handle: (item: I) => void): Promise<void> {
  for (const item of items) {
    const endsMs = turnEndsMs.get(clock) ?? beginTurn(clock);
    handle(item);
    if (clock.monotonic() >= endsMs) await scheduler.yield();
  }
}

function beginTurn(clock: Clock): number {
  const endsMs = clock.monotonic() + SLICE_MS;
  turnEndsMs.set(clock, endsMs);
  void scheduler.yield().then(() => turnEndsMs.delete(clock));
  return endsMs;
}
