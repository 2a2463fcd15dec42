import { seededRandom } from "@chaski/clock";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { StatusError, ThingApi } from "../../test/cache-api.ts";
import { cacheOfThings } from "../../test/cache-of-things.ts";
import { Story, states } from "../../test/story.ts";

type Cache = Awaited<ReturnType<typeof cacheOfThings>>;

const name = fc.constantFrom("a", "b", "c", "d", "e");

/** Something that happens to a server or on the way to it; a value to write comes with it. */
interface Step {
  readonly happen: (cache: Cache, value: number) => unknown;
  readonly toString: () => string;
}

function step<A>(
  label: string,
  argument: fc.Arbitrary<A>,
  happen: (cache: Cache, argument: A, value: number) => unknown,
) {
  return argument.map(
    (given): Step => ({
      happen: (cache, value) => happen(cache, given, value),
      toString: () => `${label} ${given}`,
    }),
  );
}

const nothing = fc.constant("");

const anyStep = fc.oneof(
  { weight: 6, arbitrary: step("put", name, ({ api }, name, value) => api.put(name, value)) },
  { weight: 3, arbitrary: step("remove", name, ({ api }, name) => api.remove(name)) },
  {
    weight: 1,
    arbitrary: step("replace", name, ({ api }, name, value) => {
      api.remove(name);
      api.put(name, value);
    }),
  },
  { weight: 2, arbitrary: step("write elsewhere", fc.nat(20), ({ api }, count) => api.elsewhere(count)) },
  { weight: 2, arbitrary: step("bookmark", nothing, ({ api }) => api.bookmark()) },
  { weight: 3, arbitrary: step("cut after", fc.nat(4), ({ api }, count) => api.cut(new Error("ECONNRESET"), count)) },
  { weight: 1, arbitrary: step("end", nothing, ({ api }) => api.end()) },
  { weight: 1, arbitrary: step("go silent", nothing, ({ api }) => api.silence()) },
  { weight: 1, arbitrary: step("compact", nothing, ({ api }) => api.compact()) },
  { weight: 1, arbitrary: step("expire", nothing, ({ api }) => api.cut(new StatusError(410))) },
  {
    weight: 1,
    arbitrary: step("refuse the next request with", fc.constantFrom(403, 404, 410, 429, 503), ({ api }, status) =>
      api.failures.push(new StatusError(status)),
    ),
  },
  { weight: 4, arbitrary: step("pass ms", fc.nat(100_000), ({ clock }, ms) => clock.advance(ms)) },
  { weight: 4, arbitrary: step("settle", nothing, ({ clock }) => clock.settle()) },
);

const world = fc.record({
  steps: fc.array(anyStep, { maxLength: 60 }),
  streaming: fc.constantFrom("served" as const, "refused" as const),
  repeats: fc.nat(4),
  batchSize: fc.integer({ min: 1, max: 5 }),
  pageSize: fc.integer({ min: 1, max: 4 }),
  seed: fc.nat(),
});

test("whatever happens on the way, the cache ends up equal to the server, and handlers hear each object's story in order", async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ steps, seed, streaming, repeats, batchSize, pageSize }) => {
      const api = Object.assign(new ThingApi(), { streaming, repeats, pageSize, batchSize: () => batchSize });
      const cache = await cacheOfThings({ api, random: seededRandom(seed) });
      const story = new Story();
      cache.things.subscribe((event) => story.hear(event));
      for (const [index, { happen }] of steps.entries()) await happen(cache, index);
      // Long enough for the longest backoff and the silence limit after it.
      await cache.clock.advance(600_000);
      expect(states(cache.things.list())).toEqual(states(api.objects.values()));
      expect(states(story.believed.values())).toEqual(states(api.objects.values()));
      expect(story.contradictions).toEqual([]);
      expect(cache.things.hasSynced).toBe(true);
      await cache.stop();
    }),
    { numRuns: 300 },
  );
}, 60_000);
