import { describe, expect, onTestFinished, test } from "vitest";
import { apiWith, StatusError, ThingApi } from "../../test/cache-api.ts";
import { type CacheOfThingsOptions, cacheOfThings } from "../../test/cache-of-things.ts";

const MINUTE_MS = 60_000;

async function started(options: CacheOfThingsOptions): ReturnType<typeof cacheOfThings> {
  const cache = await cacheOfThings(options);
  onTestFinished(() => cache.stop());
  return cache;
}

describe("a kind that the cluster does not serve", () => {
  test("is waited for, holds nobody up, and starts by itself", async () => {
    const api = apiWith("a");
    api.isServed = false;
    const cache = await started({ api });
    expect(cache.things.isServed).toBe(false);
    expect(cache.things.hasSynced).toBe(false);
    await expect(cache.caches.synced(new AbortController().signal)).resolves.toBeUndefined();
    await cache.clock.advance(10 * MINUTE_MS);
    api.isServed = true;
    await cache.clock.advance(15_000);
    expect(cache.things.isServed).toBe(true);
    expect(cache.things.hasSynced).toBe(true);
    expect(cache.held()).toEqual(["a=1"]);
  });

  test("is served within a second of its definition, and asked for about once a minute until then", async () => {
    const api = apiWith("a");
    api.isServed = false;
    const definitions = new ThingApi();
    const cache = await started({ api, definitions });
    await cache.clock.advance(10 * MINUTE_MS);
    const asked = api.asked.length;
    await cache.clock.advance(10 * MINUTE_MS);
    expect(api.asked.length - asked).toBeLessThanOrEqual(10);
    definitions.put("others.test.chaski.dev");
    definitions.put("things.test.chaski.dev");
    // The server takes a moment to serve what it has accepted.
    await cache.clock.advance(500);
    api.isServed = true;
    await cache.clock.advance(1_000);
    expect(cache.things.hasSynced).toBe(true);
    expect(cache.held()).toEqual(["a=1"]);
  });

  test("is asked for as before where definitions may not be looked at", async () => {
    const api = apiWith("a");
    api.isServed = false;
    const definitions = new ThingApi();
    definitions.failures = Array.from({ length: 1_000 }, () => new StatusError(403));
    const cache = await started({ api, definitions });
    await cache.clock.advance(10 * MINUTE_MS);
    api.isServed = true;
    await cache.clock.advance(15_000);
    expect(cache.held()).toEqual(["a=1"]);
    expect(cache.facts("failed")).toEqual([]);
  });

  test("one such answer from a server that is just starting loses nothing", async () => {
    const api = apiWith("a");
    const cache = await started({ api });
    cache.told();
    api.failures = [new StatusError(404)];
    api.cut();
    await cache.clock.advance(2_000);
    expect(cache.things.hasSynced).toBe(false);
    expect(cache.held()).toEqual(["a=1"]);
    await cache.clock.advance(15_000);
    expect(cache.things.hasSynced).toBe(true);
    expect(cache.told()).toEqual([]);
  });

  test("once it is certain that the kind has gone, so have its objects; when it comes back it syncs anew", async () => {
    const api = apiWith("a");
    const cache = await started({ api });
    cache.told();
    api.isServed = false;
    api.cut();
    await cache.clock.advance(MINUTE_MS);
    expect(cache.told()).toEqual(["deleted a, last state unknown"]);
    expect(cache.things.hasSynced).toBe(false);
    api.isServed = true;
    await cache.clock.advance(15_000);
    expect(cache.things.hasSynced).toBe(true);
    expect(cache.told()).toEqual(["added a=1"]);
  });
});
