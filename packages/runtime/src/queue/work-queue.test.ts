import { VirtualClock } from "@chaski/clock";
import { describe, expect, test } from "vitest";
import { WorkQueue } from "./work-queue.ts";

function setUp(): { clock: VirtualClock; queue: WorkQueue } {
  const clock = new VirtualClock(0);
  return { clock, queue: new WorkQueue({ clock }) };
}

/** Fails the key once more and returns the delay after which it was handed out again. */
async function failAndWait(clock: VirtualClock, queue: WorkQueue, key: string): Promise<number> {
  const startMs = clock.now();
  queue.addRateLimited(key);
  await clock.advanceUntil(() => queue.depth > 0);
  expect(queue.take()).toBe(key);
  queue.done(key);
  return clock.now() - startMs;
}

describe("canaries §13, WorkQueue", () => {
  test("handlers enqueue keys, never objects: 10,000 changes of one object are one key", () => {
    const { queue } = setUp();
    for (let change = 0; change < 10_000; change++) queue.add("shop/web");
    expect(queue.depth).toBe(1);
    expect(queue.take()).toBe("shop/web");
    expect(queue.take()).toBeUndefined();
  });

  test("a queued key added again is a no-op", () => {
    const { queue } = setUp();
    for (const key of ["a", "b", "a", "b"]) queue.add(key);
    expect([queue.take(), queue.take(), queue.take()]).toEqual(["a", "b", undefined]);
  });

  test("a key added while it is processed is marked dirty and requeued on done; it never runs concurrently", () => {
    const { queue } = setUp();
    queue.add("a");
    queue.take();
    queue.add("a");
    queue.add("a");
    expect(queue.take()).toBeUndefined();
    queue.done("a");
    expect(queue.take()).toBe("a");
    queue.done("a");
    expect(queue.take()).toBeUndefined();
  });

  test.each([
    { first: 100, second: 50, due: 50 },
    { first: 50, second: 100, due: 50 },
  ])("delayed add: of $first ms and $second ms the earlier deadline wins, once", async ({ first, second, due }) => {
    const { clock, queue } = setUp();
    queue.addAfter("a", first);
    queue.addAfter("a", second);
    await clock.advance(due - 1);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect(queue.take()).toBe("a");
    queue.done("a");
    await clock.advance(200);
    expect(queue.depth).toBe(0);
  });

  test("addRateLimited: the n-th failure waits 5 ms × 2ⁿ, and 1000 s from the 19th on, about 22 minutes in", async () => {
    const { clock, queue } = setUp();
    const delays: number[] = [];
    for (let failure = 1; failure <= 18; failure++) delays.push(await failAndWait(clock, queue, "a"));
    expect(delays).toEqual(Array.from({ length: 18 }, (_, n) => 5 * 2 ** n));
    expect(clock.now() / 60_000).toBeCloseTo(21.8, 1);
    expect(await failAndWait(clock, queue, "a")).toBe(1_000_000);
    expect(await failAndWait(clock, queue, "a")).toBe(1_000_000);
  });

  test("addRateLimited: beyond a burst of 100, ten keys a second", async () => {
    const { clock, queue } = setUp();
    for (let key = 0; key < 120; key++) queue.addRateLimited(`key-${key}`);
    await clock.advance(5);
    expect(queue.depth).toBe(100);
    await clock.advance(994);
    expect(queue.depth).toBe(109);
    await clock.advance(1_001);
    expect(queue.depth).toBe(120);
  });

  test("plain add is unlimited", () => {
    const { queue } = setUp();
    for (let key = 0; key < 1_000; key++) queue.add(`key-${key}`);
    expect(queue.depth).toBe(1_000);
  });

  test("forget clears the failure count; done does not", async () => {
    const { clock, queue } = setUp();
    await failAndWait(clock, queue, "a");
    expect(await failAndWait(clock, queue, "a")).toBe(10);
    expect(queue.failures("a")).toBe(2);
    queue.forget("a");
    expect(await failAndWait(clock, queue, "a")).toBe(5);
  });

  test("shutdown rejects adds, also delayed ones, and wakes getters", async () => {
    const { clock, queue } = setUp();
    queue.addAfter("late", 10);
    const waiting = [queue.get(), queue.get()];
    queue.shutDown();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    queue.add("a");
    queue.addAfter("b", 1);
    queue.addRateLimited("c");
    await clock.advance(100);
    expect(queue.depth).toBe(0);
    expect(await queue.get()).toBeUndefined();
  });

  test("shutdown still hands out what was queued before it", async () => {
    const { queue } = setUp();
    queue.add("a");
    queue.shutDown();
    expect([await queue.get(), await queue.get()]).toEqual(["a", undefined]);
  });

  test("drain waits for work in hand", async () => {
    const { clock, queue } = setUp();
    queue.add("a");
    queue.add("b");
    queue.take();
    let isDrained = false;
    const drained = queue.drain().then(() => (isDrained = true));
    queue.done("a");
    await clock.settle();
    expect(isDrained).toBe(false);
    expect(queue.take()).toBe("b");
    queue.done("b");
    await drained;
  });
});

describe("priority", () => {
  test("live changes go before the first list and resyncs", () => {
    const { queue } = setUp();
    for (const key of ["a", "b", "c"]) queue.add(key, "background");
    queue.add("live");
    queue.add("c");
    expect(queue.depth).toBe(4);
    expect([queue.take(), queue.take(), queue.take(), queue.take(), queue.take()]).toEqual([
      "live",
      "c",
      "a",
      "b",
      undefined,
    ]);
  });

  test("a key in process that changes live comes back before the background", () => {
    const { queue } = setUp();
    queue.add("a", "background");
    queue.take();
    queue.add("a", "background");
    queue.add("a", "live");
    queue.add("b", "background");
    queue.done("a");
    expect(queue.take()).toBe("a");
  });
});

test("a waiting getter gets the key as soon as it is added, in the order of the getters", async () => {
  const { queue } = setUp();
  const waiting = [queue.get(), queue.get()];
  queue.add("a");
  queue.add("b");
  expect(await Promise.all(waiting)).toEqual(["a", "b"]);
  expect(queue.depth).toBe(0);
});

test("a cancelled delay does not fire, and a later one may take its place", async () => {
  const { clock, queue } = setUp();
  queue.addAfter("a", 10);
  queue.cancelDelayed("a");
  queue.addAfter("a", 50);
  await clock.advance(49);
  expect(queue.depth).toBe(0);
  await clock.advance(1);
  expect(queue.depth).toBe(1);
});

test("a hundred thousand keys that come and go leave those in hand and in the queue as they were", () => {
  const { queue } = setUp();
  queue.add("in hand");
  queue.take();
  queue.add("waiting", "background");
  for (let number = 0; number < 100_000; number++) {
    queue.add(`key-${number}`);
    queue.done(queue.take() ?? "");
  }
  queue.add("in hand");
  expect(queue.depth).toBe(1);
  queue.done("in hand");
  expect([queue.take(), queue.take(), queue.take()]).toEqual(["in hand", "waiting", undefined]);
});
