import { VirtualClock } from "@chaski/clock";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Priority, WorkQueue } from "./work-queue.ts";

/** The same promises, kept in the slowest and plainest way. */
class NaiveQueue {
  queued: { key: string; priority: Priority }[] = [];
  processing = new Set<string>();
  dirty = new Map<string, Priority>();
  delayed = new Map<string, number>();
  failures = new Map<string, number>();

  add(key: string, priority: Priority): void {
    const known = this.processing.has(key)
      ? this.dirty.get(key)
      : this.queued.find((item) => item.key === key)?.priority;
    if (known === "live" || known === priority) return;
    if (this.processing.has(key)) this.dirty.set(key, priority);
    else this.queued = [...this.queued.filter((item) => item.key !== key), { key, priority }];
  }

  addAfter(key: string, dueMs: number): void {
    if (dueMs >= (this.delayed.get(key) ?? Infinity)) return;
    // Ties fire in the order in which they were set, which is the order of the map.
    this.delayed.delete(key);
    this.delayed.set(key, dueMs);
  }

  addRateLimited(key: string, nowMs: number): void {
    const failures = this.failures.get(key) ?? 0;
    this.failures.set(key, failures + 1);
    this.addAfter(key, nowMs + 5 * 2 ** failures);
  }

  advanceTo(nowMs: number): void {
    const due = [...this.delayed].filter(([, dueMs]) => dueMs <= nowMs).toSorted((a, b) => a[1] - b[1]);
    for (const [key] of due) {
      this.delayed.delete(key);
      this.add(key, "live");
    }
  }

  take(): string | undefined {
    const next = this.queued.find((item) => item.priority === "live") ?? this.queued[0];
    if (!next) return undefined;
    this.queued = this.queued.filter((item) => item !== next);
    this.processing.add(next.key);
    return next.key;
  }

  done(key: string): void {
    if (!this.processing.delete(key)) return;
    const priority = this.dirty.get(key);
    this.dirty.delete(key);
    if (priority) this.add(key, priority);
  }
}

const key = fc.constantFrom("a", "b", "c", "d");
const step = fc.oneof(
  fc.record({ do: fc.constant("add" as const), key, priority: fc.constantFrom<Priority>("live", "background") }),
  fc.record({ do: fc.constant("addAfter" as const), key, delayMs: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ do: fc.constant("addRateLimited" as const), key }),
  fc.record({ do: fc.constant("forget" as const), key }),
  fc.record({ do: fc.constant("take" as const) }),
  fc.record({ do: fc.constant("done" as const), key }),
  fc.record({ do: fc.constant("advance" as const), byMs: fc.integer({ min: 0, max: 60 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function run(real: WorkQueue, naive: NaiveQueue, clock: VirtualClock, step: Step): Promise<void> {
  switch (step.do) {
    case "add":
      real.add(step.key, step.priority);
      naive.add(step.key, step.priority);
      return;
    case "addAfter":
      real.addAfter(step.key, step.delayMs);
      naive.addAfter(step.key, clock.now() + step.delayMs);
      return;
    case "addRateLimited":
      real.addRateLimited(step.key);
      naive.addRateLimited(step.key, clock.now());
      return;
    case "forget":
      real.forget(step.key);
      naive.failures.delete(step.key);
      return;
    case "take":
      expect(real.take()).toBe(naive.take());
      return;
    case "done":
      real.done(step.key);
      naive.done(step.key);
      return;
    case "advance":
      await clock.advance(step.byMs);
      naive.advanceTo(clock.now());
  }
}

test("any sequence of calls gives the same keys in the same order as a naive queue", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 100, size: "max" }), async (steps) => {
      const clock = new VirtualClock(0);
      const real = new WorkQueue({ clock, rate: { perSecond: 1_000, burst: 1_000_000 } });
      const naive = new NaiveQueue();
      for (const each of steps) {
        await run(real, naive, clock, each);
        expect(real.depth).toBe(naive.queued.length);
      }
    }),
    { numRuns: 1_000 },
  );
});
