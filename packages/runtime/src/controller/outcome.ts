import { ApiError } from "../client/errors.ts";
import type { Stall } from "../decision/index.ts";
import type { WorkQueue } from "../queue/work-queue.ts";

/** What came of one pass, by what happens next. */
export type Outcome =
  /** Nothing to do until somebody wakes the key. */
  | { readonly type: "done" }
  /** Something was changed: look again when what follows from it has begun to show. */
  | { readonly type: "changed" }
  | { readonly type: "wakeAt"; readonly atMs: number }
  /** Something failed: again, later and later. */
  | { readonly type: "retry"; readonly error: unknown }
  /** Nothing failed, but what was read is older than what is: again when the cache has moved, soon in any case. */
  | { readonly type: "wait"; readonly because: string }
  /** No retry until the object changes. */
  | { readonly type: "stalled"; readonly stall: Stall };

/** Errors are told apart by what happens next: what the server calls wrong stays wrong until somebody changes it. */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof ApiError && error.next === "stall")
    return { type: "stalled", stall: { reason: error.reason, message: error.message } };
  return { type: "retry", error };
}

const WAIT_MS = 1_000;

/** A decision that changes something every time it is asked would spin; from here on it backs off like a failure. */
export const CHANGES_IN_A_ROW_MAX = 32;

/** The one place that turns an outcome into what the queue does. */
export class Requeue {
  readonly #queue: WorkQueue;
  readonly #afterChangeMs: number;
  readonly #changesInARow = new Map<string, number>();

  constructor(queue: WorkQueue, afterChangeMs: number) {
    this.#queue = queue;
    this.#afterChangeMs = afterChangeMs;
  }

  after(key: string, outcome: Outcome, nowMs: number): void {
    if (outcome.type !== "changed") this.#changesInARow.delete(key);
    switch (outcome.type) {
      case "changed":
        return this.#afterChange(key);
      case "retry":
        return this.#queue.addRateLimited(key);
      case "wait":
        return this.#queue.addAfter(key, WAIT_MS);
      case "wakeAt":
        this.#queue.forget(key);
        return this.#queue.addAfter(key, outcome.atMs - nowMs);
      case "done":
      case "stalled":
        return this.#queue.forget(key);
    }
  }

  #afterChange(key: string): void {
    const changes = (this.#changesInARow.get(key) ?? 0) + 1;
    this.#changesInARow.set(key, changes);
    if (changes > CHANGES_IN_A_ROW_MAX) return this.#queue.addRateLimited(key);
    this.#queue.forget(key);
    this.#queue.addAfter(key, this.#afterChangeMs);
  }
}
