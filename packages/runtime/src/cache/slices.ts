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

/**
 * Handles the items in order and lets the rest of the process have its turn every few milliseconds. A promise only if
 * that takes more than one turn: a single event of a watch has nothing to wait for.
 */
export function inSlices<I>(clock: Clock, items: Iterable<I>, handle: (item: I) => void): Promise<void> | undefined {
  const left = items[Symbol.iterator]();
  return isDoneThisTurn(clock, left, handle) ? undefined : inTurns(clock, left, handle);
}

async function inTurns<I>(clock: Clock, left: Iterator<I>, handle: (item: I) => void): Promise<void> {
  do {
    await scheduler.yield();
    beginTurn(clock);
  } while (!isDoneThisTurn(clock, left, handle));
}

function isDoneThisTurn<I>(clock: Clock, left: Iterator<I>, handle: (item: I) => void): boolean {
  for (let next = left.next(); !next.done; next = left.next()) {
    const { number, endsMs } = turns.get(clock) ?? beginTurn(clock);
    handle(next.value);
    if (clock.monotonic() < endsMs) continue;
    if (number === turnNumber()) return false;
    // Time that the loop spent waiting was nobody's turn.
    beginTurn(clock);
  }
  return true;
}

function beginTurn(clock: Clock): Turn {
  const turn = { number: turnNumber(), endsMs: clock.monotonic() + SLICE_MS };
  turns.set(clock, turn);
  return turn;
}

function turnNumber(): number {
  return performance.nodeTiming.uvMetricsInfo.loopCount;
}
