import { seededRandom } from "@chaski/clock";
import { afterEach, describe, expect, test } from "vitest";
import { apiWith, StatusError, type Thing, type ThingApi } from "../../test/cache-api.ts";
import { cacheOfThings } from "../../test/cache-of-things.ts";

let cache: Awaited<ReturnType<typeof cacheOfThings>>;

async function started(api: ThingApi, seed = 1): Promise<typeof cache> {
  cache = await cacheOfThings({ api, random: seededRandom(seed) });
  return cache;
}

afterEach(() => cache.stop());

const HEALTHY_MS = 120_000;
const MINUTE_MS = 60_000;

/** Lets the watch live, with a bookmark a minute as servers send them. */
async function minutes(count: number): Promise<void> {
  for (let minute = 0; minute < count; minute++) {
    cache.api.bookmark();
    await cache.clock.advance(MINUTE_MS);
  }
}

describe("Reflector: list, store the resourceVersion, watch from it; 410/expired means relist", () => {
  test("a streaming list goes over into the watch on one connection", async () => {
    const api = apiWith("a", "b");
    await started(api);
    expect(cache.held()).toEqual(["a=1", "b=1"]);
    expect(cache.things.hasSynced).toBe(true);
    api.put("a", 2);
    api.remove("b");
    await cache.clock.settle();
    expect(cache.held()).toEqual(["a=2"]);
    expect(api.asked).toHaveLength(1);
    expect(api.watches[0]).toMatchObject({ sendInitialEvents: true });
    expect(api.watches[0]).not.toHaveProperty("resourceVersion");
  });

  test.each(["refused", "unknown"] as const)(
    "pages of 500 where a streaming list is %s, then a watch from the list's version; remembered for the next list",
    async (streaming) => {
      const api = apiWith(...Array.from({ length: 1_200 }, (_, index) => `t${index}`));
      api.streaming = streaming;
      await started(api);
      if (streaming === "unknown") api.bookmark();
      await cache.clock.settle();
      expect(cache.held()).toHaveLength(1_200);
      expect(cache.things.hasSynced).toBe(true);
      expect(api.asked.map(({ verb }) => verb)).toEqual(["watch", "list", "list", "list", "watch"]);
      expect(api.asked[1]).toMatchObject({ options: { limit: 500 } });
      expect(api.watches.at(-1)).toMatchObject({ resourceVersion: api.version });

      api.elsewhere();
      api.compact();
      api.cut();
      await cache.clock.advance(MINUTE_MS);
      expect(api.watches.filter(({ sendInitialEvents }) => sendInitialEvents)).toHaveLength(1);
    },
  );

  test("not synced before the list is complete, although its objects can be read already", async () => {
    const api = apiWith("a");
    api.streaming = "unknown";
    await started(api);
    expect(cache.held()).toEqual(["a=1"]);
    expect(cache.things.hasSynced).toBe(false);
  });

  test("a cut watch goes on from the last event, a bookmark moves that place too", async () => {
    const api = apiWith("a");
    await started(api);
    api.put("a", 2);
    api.cut(new Error("ECONNRESET"), 1);
    const afterEvent = api.version;
    await cache.clock.advance(2_000);
    expect(api.watches[1]).toMatchObject({ resourceVersion: afterEvent });

    api.elsewhere(10);
    api.bookmark();
    await cache.clock.settle();
    api.cut();
    await cache.clock.advance(4_000);
    expect(api.watches[2]).toMatchObject({ resourceVersion: api.version });
    expect(api.lists).toBe(1);
  });

  test.each([
    { how: "as the answer to a reconnect", expire: (api: ThingApi) => api.cut() },
    { how: "as an error event within the watch", expire: (api: ThingApi) => api.cut(new StatusError(410)) },
  ])("410 $how means relist", async ({ expire }) => {
    const api = apiWith("a");
    await started(api);
    api.silence();
    api.put("a", 2);
    api.put("b", 1);
    api.elsewhere();
    api.compact();
    expire(api);
    await cache.clock.advanceUntil(() => api.lists === 2, MINUTE_MS);
    expect(cache.held()).toEqual(["a=2", "b=1"]);
    expect(cache.facts("listed")).toMatchObject([{ isRelist: false }, { isRelist: true }]);
  });

  test("a server that was restored from a backup, and so counts from an earlier version, is listed again", async () => {
    const api = apiWith("a", "b");
    await started(api);
    api.silence();
    api.remove("b");
    api.restoreTo(50);
    api.cut();
    await cache.clock.advance(2_000);
    api.bookmark();
    await cache.clock.advanceUntil(() => api.lists === 2, MINUTE_MS);
    expect(cache.held()).toEqual(["a=1"]);
  });

  test("a server that ends every list half-way is not hammered", async () => {
    const api = apiWith("a");
    api.streaming = "unknown";
    await started(api);
    for (let round = 0; round < 60; round++) {
      api.end();
      await cache.clock.advance(500);
    }
    expect(api.lists).toBeLessThan(8);
    api.streaming = "served";
    await cache.clock.advance(MINUTE_MS);
    expect(cache.things.hasSynced).toBe(true);
  });

  test("a list that is cut half-way begins anew, and what was seen stays", async () => {
    const api = apiWith("a", "b", "c");
    api.batchSize = () => 1;
    api.failures = [new Error("ECONNREFUSED")];
    await started(api);
    await cache.clock.advance(800);
    api.cut(new Error("ECONNRESET"), 0);
    await cache.clock.advance(10_000);
    expect(cache.things.hasSynced).toBe(true);
    expect(cache.held()).toEqual(["a=1", "b=1", "c=1"]);
    expect(cache.told()).toEqual(["added a=1", "added b=1", "added c=1"]);
  });
});

describe("Reflector: watch timeout random in 5–10 min; reconnect backoff 0.8 s doubling to 30 s with jitter, reset after 2 min healthy", () => {
  test("watch timeout random in 5–10 min", async () => {
    const api = apiWith("a");
    await started(api);
    for (let round = 0; round < 50; round++) {
      await minutes(1);
      api.end();
      await cache.clock.settle();
    }
    const seconds = api.watches.map(({ timeoutSeconds }) => timeoutSeconds ?? 0);
    expect(Math.min(...seconds)).toBeGreaterThanOrEqual(300);
    expect(Math.min(...seconds)).toBeLessThan(330);
    expect(Math.max(...seconds)).toBeLessThanOrEqual(600);
    expect(Math.max(...seconds)).toBeGreaterThan(570);
    expect(api.lists).toBe(1);
  });

  test("reconnect backoff 0.8 s doubling to 30 s, each delay stretched by up to itself", async () => {
    const api = apiWith("a");
    await started(api);
    api.failures = Array.from({ length: 9 }, () => new Error("ECONNREFUSED"));
    api.cut();
    await cache.clock.advanceUntil(() => api.connections.size === 1);
    const delays = cache.facts("failed").map(({ retryInMs }) => retryInMs);
    const expected = [800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000, 30_000, 30_000];
    expect(delays).toHaveLength(expected.length);
    for (const [index, leastMs] of expected.entries()) {
      expect(delays[index]).toBeGreaterThanOrEqual(leastMs);
      expect(delays[index]).toBeLessThan(2 * leastMs);
    }
    expect(new Set(delays.map((delayMs, index) => delayMs / (expected[index] ?? 1))).size).toBe(delays.length);
  });

  test.each([
    { healthyMs: HEALTHY_MS, effect: "starts at 0.8 s again", leastMs: 800, mostMs: 1_600 },
    { healthyMs: MINUTE_MS, effect: "goes on growing", leastMs: 6_400, mostMs: 12_800 },
  ])("after $healthyMs ms of a healthy watch the backoff $effect", async ({ healthyMs, leastMs, mostMs }) => {
    const api = apiWith("a");
    await started(api);
    api.failures = [new Error("ECONNREFUSED"), new Error("ECONNREFUSED")];
    api.cut();
    await cache.clock.advanceUntil(() => api.connections.size === 1, MINUTE_MS);
    await minutes(healthyMs / MINUTE_MS);
    api.bookmark();
    await cache.clock.settle();
    api.cut();
    await cache.clock.settle();
    const last = cache.facts("failed").at(-1);
    expect(last?.retryInMs).toBeGreaterThanOrEqual(leastMs);
    expect(last?.retryInMs).toBeLessThan(mostMs);
  });

  test("a watch that the server ends in its time is opened again at once", async () => {
    const api = apiWith("a");
    await started(api);
    await minutes(1);
    api.end();
    await cache.clock.settle();
    expect(api.connections.size).toBe(1);
    expect(cache.facts("restarted")).toEqual([{ type: "restarted", because: "ended" }]);
  });

  test("a server that ends every watch at once is not hammered", async () => {
    const api = apiWith("a");
    await started(api);
    for (let round = 0; round < 120; round++) {
      api.end();
      await cache.clock.advance(500);
    }
    expect(api.watches.length).toBeLessThan(10);
  });

  test("a connection that is reset is followed again in under 2 s", async () => {
    const api = apiWith("a");
    await started(api);
    api.cut();
    api.put("a", 2);
    await cache.clock.advance(2_000);
    expect(cache.held()).toEqual(["a=2"]);
    expect(api.lists).toBe(1);
  });
});

describe("Reflector: relist synthesises deletes for vanished objects (final state may be unknown)", () => {
  test("after a 410 the vanished are told as deleted, the changed as updated, the same not at all; never is the store empty", async () => {
    const api = apiWith("same", "changed", "vanished");
    api.batchSize = () => 1;
    await started(api);
    cache.told();
    let fewest = Infinity;
    cache.things.subscribe(() => (fewest = Math.min(fewest, cache.things.list().length)));
    api.silence();
    api.remove("vanished");
    api.put("changed", 2);
    api.put("new", 1);
    api.elsewhere();
    api.compact();
    api.cut();
    await cache.clock.advanceUntil(() => api.lists === 2, MINUTE_MS);
    expect(cache.told()).toEqual(["updated changed=2", "added new=1", "deleted vanished, last state unknown"]);
    expect(fewest).toBe(3);
    expect(cache.things.hasSynced).toBe(true);
  });

  test("an object that was deleted and made again meanwhile is told as deleted, then added", async () => {
    const api = apiWith("a");
    await started(api);
    cache.told();
    api.silence();
    api.remove("a");
    api.put("a", 2);
    api.elsewhere();
    api.compact();
    api.cut();
    await cache.clock.advanceUntil(() => api.lists === 2, MINUTE_MS);
    expect(cache.told()).toEqual(["deleted a, last state unknown", "added a=2"]);
  });
});

describe("a black hole", () => {
  test("is noticed and recovered from within 90 s, without a relist", async () => {
    const api = apiWith("a");
    await started(api);
    await minutes(3);
    api.bookmark();
    await cache.clock.settle();
    api.silence();
    api.put("a", 2);
    await cache.clock.advance(90_000);
    expect(cache.held()).toEqual(["a=2"]);
    expect(api.lists).toBe(1);
    expect(cache.facts("restarted")).toEqual([{ type: "restarted", because: "silent" }]);
  });

  test("a quiet kind with a bookmark a minute is not taken for one", async () => {
    await started(apiWith("a"));
    await minutes(30);
    expect(cache.api.watches).toHaveLength(1);
  });

  test("a server without bookmarks is not taken for one either: its watch is opened anew, with no gap", async () => {
    const api = apiWith("a");
    await started(api);
    await cache.clock.advance(30 * MINUTE_MS);
    expect(api.watches.length).toBeGreaterThan(20);
    expect(api.lists).toBe(1);
    expect(cache.facts("failed")).toEqual([]);
    api.put("a", 2);
    await cache.clock.settle();
    expect(cache.held()).toEqual(["a=2"]);
  });

  test("a server that takes connections and never answers is asked ever less often", async () => {
    const api = apiWith("a");
    await started(api);
    api.isTalking = false;
    api.silence();
    await cache.clock.advance(20 * MINUTE_MS);
    expect(api.watches.length).toBeLessThan(16);
    api.isTalking = true;
    await cache.clock.advance(3 * MINUTE_MS);
    api.put("a", 2);
    await cache.clock.settle();
    expect(cache.held()).toEqual(["a=2"]);
    expect(api.lists).toBe(1);
  });
});

describe("what goes wrong is reported and tried again, never a silent stop", () => {
  test.each([401, 403, 429, 500, 503])("%i on the list", async (status) => {
    const api = apiWith("a");
    api.failures = [new StatusError(status), new StatusError(status)];
    await started(api);
    expect(cache.things.hasSynced).toBe(false);
    await cache.clock.advance(10_000);
    expect(cache.held()).toEqual(["a=1"]);
    expect(cache.facts("failed").map(({ error }) => (error as StatusError).status)).toEqual([status, status]);
  });

  test("a selector that the server refuses in a paged list too", async () => {
    const api = apiWith("a");
    api.failures = [new StatusError(400), new StatusError(400)];
    await started(api);
    expect(cache.facts("failed")).toHaveLength(1);
    await cache.clock.advance(10_000);
    expect(cache.held()).toEqual(["a=1"]);
  });

  test.each(["served", "refused"] as const)(
    "malformed objects are skipped with an error that names them; streaming list %s",
    async (streaming) => {
      const api = apiWith("a");
      api.streaming = streaming;
      api.malformed = [
        null,
        {},
        { metadata: { name: "", namespace: "shop", resourceVersion: "1" } },
        { metadata: { name: "lost", resourceVersion: "1" } },
        { metadata: { name: "unversioned", namespace: "shop" } },
      ];
      await started(api);
      await cache.clock.settle();
      expect(cache.held()).toEqual(["a=1"]);
      expect(cache.things.hasSynced).toBe(true);
      expect(cache.facts("malformed object").map(({ error }) => error.message)).toEqual([
        "a Thing without a name can't be cached: metadata.name is missing",
        "a Thing without a name can't be cached: metadata.name is missing",
        "a Thing without a name can't be cached: metadata.name is missing",
        "Thing lost can't be cached: metadata.namespace is missing",
        "Thing shop/unversioned can't be cached: metadata.resourceVersion is missing",
      ]);
      api.put("a", 2);
      await cache.clock.settle();
      expect(cache.held()).toEqual(["a=2"]);
    },
  );

  test("an object that a relist shows malformed is still there, in its last good state", async () => {
    const api = apiWith("a");
    await started(api);
    cache.told();
    api.objects.clear();
    api.malformed = [{ metadata: { name: "a", namespace: "shop" } }];
    api.cut(new StatusError(410));
    await cache.clock.advance(2_000);
    expect(api.lists).toBe(2);
    expect(cache.held()).toEqual(["a=1"]);
    expect(cache.told()).toEqual([]);
  });

  test("a malformed change leaves the last good state, and the events after it count", async () => {
    const api = apiWith("a");
    await started(api);
    api.send([{ type: "MODIFIED", object: { metadata: { name: "a", namespace: "shop" } } as Thing }]);
    api.put("b", 1);
    await cache.clock.settle();
    expect(cache.held()).toEqual(["a=1", "b=1"]);
  });
});
