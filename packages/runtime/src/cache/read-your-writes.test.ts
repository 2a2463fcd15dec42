import { describe, expect, onTestFinished, test } from "vitest";
import { apiWith, bookmarkAt, StatusError, Thing, ThingApi } from "../../test/cache-api.ts";
import { cacheOfThings } from "../../test/cache-of-things.ts";

const KEY = { namespace: "shop", name: "a" };

async function setup(api = new ThingApi()) {
  const cache = await cacheOfThings({ api });
  onTestFinished(() => cache.stop());
  const { caches, clock, things } = cache;
  return {
    ...cache,
    /** A write whose event does not come by itself. */
    writeUnseen: (write: () => Thing): Thing => {
      api.silence();
      const object = write();
      caches.wrote(Thing, KEY, { type: "answered", resourceVersion: object.metadata.resourceVersion ?? "" });
      return object;
    },
    /** Whether a reader may go on now. */
    hasCaughtUp: async (): Promise<boolean> => {
      let isDone = false;
      const stop = new AbortController();
      void things.caughtUp(KEY, stop.signal).then(
        () => (isDone = true),
        () => undefined,
      );
      await clock.settle();
      stop.abort();
      return isDone;
    },
  };
}

test("an object that we never wrote keeps nobody waiting", async () => {
  const { hasCaughtUp } = await setup(apiWith("a"));
  expect(await hasCaughtUp()).toBe(true);
});

describe("a write is waited for until the informer's progress has reached it", () => {
  test("by its own event, after which the cache shows it", async () => {
    const { api, clock, hasCaughtUp, held, writeUnseen } = await setup(apiWith("a"));
    writeUnseen(() => api.put("a", 2));
    expect(await hasCaughtUp()).toBe(false);
    api.cut();
    await clock.advance(2_000);
    expect(held()).toEqual(["a=2"]);
    expect(await hasCaughtUp()).toBe(true);
  });

  test("by an event of another object, written later", async () => {
    const { api, clock, hasCaughtUp, caches } = await setup();
    caches.wrote(Thing, KEY, { type: "answered", resourceVersion: "105" });
    expect(await hasCaughtUp()).toBe(false);
    api.elsewhere(10);
    api.put("b", 1);
    await clock.settle();
    expect(await hasCaughtUp()).toBe(true);
  });

  test("by a bookmark", async () => {
    const { api, clock, hasCaughtUp, caches } = await setup();
    api.elsewhere(10);
    caches.wrote(Thing, KEY, { type: "answered", resourceVersion: api.version });
    expect(await hasCaughtUp()).toBe(false);
    api.bookmark();
    await clock.settle();
    expect(await hasCaughtUp()).toBe(true);
  });

  test.each([
    { wrote: "99", reached: "100", isSeen: true },
    { wrote: "100", reached: "100", isSeen: true },
    { wrote: "101", reached: "100", isSeen: false },
    { wrote: "1000", reached: "999", isSeen: false },
    { wrote: "9007199254740993", reached: "9007199254740992", isSeen: false },
    { wrote: "9007199254740992", reached: "9007199254740993", isSeen: true },
  ])("$wrote written, $reached reached: seen $isSeen", async ({ wrote, reached, isSeen }) => {
    const { clock, hasCaughtUp, caches, api } = await setup();
    api.send([bookmarkAt(reached)]);
    await clock.settle();
    caches.wrote(Thing, KEY, { type: "answered", resourceVersion: wrote });
    expect(await hasCaughtUp()).toBe(isSeen);
  });

  test("a write that changed nothing, and so was answered with a version seen long ago, costs no wait", async () => {
    const api = apiWith("a");
    const { caches, hasCaughtUp } = await setup(api);
    caches.wrote(Thing, KEY, { type: "answered", resourceVersion: api.version });
    expect(await hasCaughtUp()).toBe(true);
  });

  test("a write before the first list is seen by that list", async () => {
    const api = apiWith("a");
    api.failures = [new Error("ECONNREFUSED")];
    const { caches, clock, hasCaughtUp } = await setup(api);
    caches.wrote(Thing, KEY, { type: "answered", resourceVersion: "1000000" });
    expect(await hasCaughtUp()).toBe(false);
    await clock.advance(2_000);
    expect(await hasCaughtUp()).toBe(true);
  });
});

describe("versions are compared only within one informer generation", () => {
  test("a relist that began after the write has seen it, whatever its version says", async () => {
    const { api, clock, hasCaughtUp, caches } = await setup(apiWith("a"));
    caches.wrote(Thing, KEY, { type: "answered", resourceVersion: "5000" });
    api.restoreTo(50);
    api.cut(new StatusError(410));
    await clock.advance(2_000);
    expect(api.lists).toBe(2);
    expect(await hasCaughtUp()).toBe(true);
  });

  test("a relist that had begun before the write has not", async () => {
    const { api, clock, hasCaughtUp, caches } = await setup(apiWith("a"));
    api.streaming = "unknown";
    api.cut(new StatusError(410));
    await clock.advance(2_000);
    expect(api.lists).toBe(2);
    api.elsewhere(5);
    caches.wrote(Thing, KEY, { type: "answered", resourceVersion: api.version });
    api.send([bookmarkAt("102", true)]);
    await clock.settle();
    expect(await hasCaughtUp()).toBe(false);
    api.bookmark();
    await clock.settle();
    expect(await hasCaughtUp()).toBe(true);
  });
});

describe("a delete is waited for until absence or another uid", () => {
  test("absence", async () => {
    const { api, caches, clock, hasCaughtUp, things } = await setup(apiWith("a"));
    api.silence();
    caches.wrote(Thing, KEY, { type: "deleted", uid: things.get("shop/a")?.metadata.uid ?? "" });
    api.remove("a");
    expect(await hasCaughtUp()).toBe(false);
    api.cut();
    await clock.advance(2_000);
    expect(await hasCaughtUp()).toBe(true);
  });

  test("another uid", async () => {
    const { caches, hasCaughtUp } = await setup(apiWith("a"));
    caches.wrote(Thing, KEY, { type: "deleted", uid: "the-one-before" });
    expect(await hasCaughtUp()).toBe(true);
  });

  test("the same object with a deletionTimestamp: finalizers keep it, and the delete has been seen", async () => {
    const { api, caches, clock, hasCaughtUp, things } = await setup(apiWith("a"));
    caches.wrote(Thing, KEY, { type: "deleted", uid: things.get("shop/a")?.metadata.uid ?? "" });
    expect(await hasCaughtUp()).toBe(false);
    api.put("a", 1, { deletionTimestamp: "2026-01-01T00:00:00Z" });
    await clock.settle();
    expect(await hasCaughtUp()).toBe(true);
  });

  test("an absence that only means that the creation has not been seen yet does not count", async () => {
    const { api, caches, clock, hasCaughtUp, writeUnseen } = await setup();
    const created = writeUnseen(() => api.put("a", 1));
    api.remove("a");
    caches.wrote(Thing, KEY, { type: "deleted", uid: created.metadata.uid ?? "" });
    expect(await hasCaughtUp()).toBe(false);
    api.cut();
    await clock.advance(2_000);
    expect(await hasCaughtUp()).toBe(true);
  });
});

describe("an unknown outcome costs one live GET", () => {
  const gets = (api: ThingApi): number => api.asked.filter(({ verb }) => verb === "get").length;

  test("which finds the object at a version, and that is waited for", async () => {
    const { api, caches, clock, hasCaughtUp } = await setup(apiWith("a"));
    api.silence();
    api.put("a", 2);
    caches.wrote(Thing, KEY, { type: "unknown" });
    expect(await hasCaughtUp()).toBe(false);
    api.cut();
    await clock.advance(2_000);
    expect(await hasCaughtUp()).toBe(true);
    expect(await hasCaughtUp()).toBe(true);
    expect(gets(api)).toBe(1);
  });

  test("which does not find it, and then absence is waited for", async () => {
    const { api, caches, clock, hasCaughtUp } = await setup(apiWith("a"));
    api.silence();
    api.remove("a");
    caches.wrote(Thing, KEY, { type: "unknown" });
    expect(await hasCaughtUp()).toBe(false);
    api.cut();
    await clock.advance(2_000);
    expect(await hasCaughtUp()).toBe(true);
    expect(gets(api)).toBe(1);
  });

  test("which fails, and then the reader does too; the next one asks again", async () => {
    const { api, caches, hasCaughtUp, things } = await setup(apiWith("a"));
    caches.wrote(Thing, KEY, { type: "unknown" });
    api.failures = [new StatusError(503)];
    await expect(things.caughtUp(KEY, new AbortController().signal)).rejects.toThrow("503");
    expect(await hasCaughtUp()).toBe(true);
    expect(gets(api)).toBe(2);
  });
});

describe("after 30 s relist", () => {
  test("and then the reader goes on", async () => {
    const { api, clock, things, writeUnseen } = await setup(apiWith("a"));
    writeUnseen(() => api.put("a", 2));
    const caughtUp = things.caughtUp(KEY, new AbortController().signal);
    await clock.advance(29_999);
    expect(api.lists).toBe(1);
    await clock.advance(1);
    await caughtUp;
    expect(api.lists).toBe(2);
    expect(things.get("shop/a")?.spec.value).toBe(2);
  });

  test("one relist serves all who wait", async () => {
    const { api, caches, clock, things } = await setup();
    const waiting = ["a", "b", "c"].map((name) => {
      caches.wrote(Thing, { namespace: "shop", name }, { type: "answered", resourceVersion: "1000" });
      return things.caughtUp({ namespace: "shop", name }, new AbortController().signal);
    });
    await clock.advance(30_000);
    await Promise.all(waiting);
    expect(api.lists).toBe(2);
  });
});

test("a relist under way is not begun anew for the next who waits", async () => {
  const { api, caches, clock, things } = await setup();
  const wait = (name: string): Promise<void> => {
    caches.wrote(Thing, { namespace: "shop", name }, { type: "answered", resourceVersion: "1000" });
    return things.caughtUp({ namespace: "shop", name }, new AbortController().signal);
  };
  const first = wait("a");
  await clock.advance(5_000);
  const second = wait("b");
  api.streaming = "unknown";
  await clock.advance(26_000);
  expect(api.lists).toBe(2);
  await clock.advance(10_000);
  expect(api.lists).toBe(2);
  api.send([bookmarkAt(api.version, true)]);
  await Promise.all([first, second]);
});

test("what was seen, though nobody asked, stays seen while a relist is under way", async () => {
  const { api, clock, caches, hasCaughtUp } = await setup();
  api.elsewhere(10);
  caches.wrote(Thing, KEY, { type: "answered", resourceVersion: api.version });
  await clock.advance(60_000);
  api.bookmark();
  await clock.settle();
  api.streaming = "unknown";
  api.cut(new StatusError(410));
  await clock.advance(2_000);
  expect(api.lists).toBe(2);
  expect(await hasCaughtUp()).toBe(true);
});

test("a reader whose signal aborts is rejected with its reason, and leaves no timer", async () => {
  const { api, caches, clock, things } = await setup();
  caches.wrote(Thing, KEY, { type: "answered", resourceVersion: "1000" });
  const stop = new AbortController();
  const caughtUp = things.caughtUp(KEY, stop.signal);
  stop.abort(new Error("shutting down"));
  await expect(caughtUp).rejects.toThrow("shutting down");
  await clock.advance(40_000);
  expect(api.lists).toBe(1);
});

test("a write to another namespace than a cache is restricted to is none of its business", async () => {
  const cache = await cacheOfThings({ namespace: "elsewhere" });
  onTestFinished(() => cache.stop());
  cache.caches.wrote(Thing, KEY, { type: "answered", resourceVersion: "1000" });
  await expect(cache.things.caughtUp(KEY, new AbortController().signal)).resolves.toBeUndefined();
});
