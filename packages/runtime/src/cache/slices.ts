import { performance } from "node:perf_hooks";
import { scheduler } from "node:timers/promises";
import type { Clock } from "@chaski/clock";

const SLICE_MS = 10;

/** When the event loop's present turn has lasted long enough. */
interface Turn {
  readonly number: number;
  readonly endsMs: number;
}

/** Of the whole process, however many calls share the turn: a busy connection hands over many batches in one. */
const turns = new WeakMap<Clock, Turn>();

/** Handles the items in order and lets the rest of the process have its turn every few milliseconds. */
export async function inSlices<I>(clock: Clock, items: Iterable<I>, handle: (item: I) => void): Promise<void> {
  for (const item of items) {
    const { number, endsMs } = turns.get(clock) ?? beginTurn(clock);
    handle(item);
    if (clock.monotonic() < endsMs) continue;
    // Time that the loop spent waiting was nobody's turn.
    if (number === turnNumber()) await scheduler.yield();
    beginTurn(clock);
  }
}

function beginTurn(clock: Clock): Turn {
  const turn = { number: turnNumber(), endsMs: clock.monotonic() + SLICE_MS };
  turns.set(clock, turn);
  return turn;
}

function turnNumber(): number {
  return performance.nodeTiming.uvMetricsInfo.loopCount;
}
