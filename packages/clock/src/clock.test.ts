import { expect, test } from "vitest";
import { RealClock, seededRandom, VirtualClock } from "./index.ts";
import { TimerHeap } from "./timer-heap.ts";

test("virtual time fires timers in order of their due time, ties in the order they were set", async () => {
  const clock = new VirtualClock(0);
  const fired: string[] = [];
  clock.after(20, () => fired.push("b"));
  clock.after(10, () => fired.push("a"));
  clock.after(20, () => fired.push("c"));
  await clock.advance(15);
  expect(fired).toEqual(["a"]);
  await clock.advance(5);
  expect(fired).toEqual(["a", "b", "c"]);
});

test("what a timer sets off is finished before the next timer fires", async () => {
  const clock = new VirtualClock(0);
  const seen: number[] = [];
  const loop = async (): Promise<void> => {
    for (let round = 0; round < 3; round++) {
      await clock.sleep(1_000);
      seen.push(clock.now());
    }
  };
  const done = loop();
  await clock.advance(60_000);
  await done;
  expect(seen).toEqual([1_000, 2_000, 3_000]);
});

test("a cancelled timer does not fire", async () => {
  const clock = new VirtualClock(0);
  let hasFired = false;
  clock.after(10, () => void (hasFired = true)).cancel();
  await clock.advance(20);
  expect(hasFired).toBe(false);
});

test("a deadline aborts with a TimeoutError, and not after it was cancelled", async () => {
  const clock = new VirtualClock(0);
  const missed = clock.deadline(100);
  const met = clock.deadline(100);
  met.cancel();
  await clock.advance(100);
  expect((missed.signal.reason as DOMException).name).toBe("TimeoutError");
  expect(met.signal.aborted).toBe(false);
});

test("a sleep ends with the reason of its signal", async () => {
  const stop = new AbortController();
  const sleep = new VirtualClock().sleep(1_000, stop.signal);
  stop.abort(new Error("stopped"));
  await expect(sleep).rejects.toThrow("stopped");
});

test("waiting for a condition that nothing can bring about fails instead of hanging", async () => {
  await expect(new VirtualClock().advanceUntil(() => false)).rejects.toThrow("no timer is left");
});

test("a real timer beyond 24.8 days does not fire at once", async () => {
  const clock = new RealClock();
  let hasFired = false;
  const timer = clock.after(30 * 24 * 3_600_000, () => void (hasFired = true));
  await clock.sleep(5);
  timer.cancel();
  expect(hasFired).toBe(false);
});

test("the same seed gives the same numbers", () => {
  const [first, second] = [seededRandom(7), seededRandom(7)];
  const numbers = Array.from({ length: 100 }, () => first());
  expect(numbers).toEqual(Array.from({ length: 100 }, () => second()));
  expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
});

test("deadlines that were cancelled are not kept until they would have been due", () => {
  const heap = new TimerHeap();
  const later = heap.add(2, () => {});
  heap.add(1, () => {});
  for (let call = 0; call < 10_000; call++) heap.add(60_000, () => {}).cancel();
  expect(heap.size).toBeLessThan(200);
  expect(heap.nextDueMs()).toBe(1);
  heap.fireNext(1);
  later.cancel();
  expect(heap.nextDueMs()).toBeUndefined();
});
