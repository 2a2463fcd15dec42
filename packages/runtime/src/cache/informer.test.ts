import { describe, expect, onTestFinished, test, vi } from "vitest";
import { apiWith, StatusError, type Thing } from "../../test/cache-api.ts";
import { type CacheOfThingsOptions, cacheOfThings } from "../../test/cache-of-things.ts";

async function started(options: CacheOfThingsOptions = {}): ReturnType<typeof cacheOfThings> {
  const cache = await cacheOfThings(options);
  onTestFinished(() => cache.stop());
  return cache;
}

describe("DeltaFIFO: per-key ordered deltas: Added, Updated, Deleted, Replaced, Sync; a key is queued once while it has deltas", () => {
  test("a handler hears every change of an object in order, with its old and its new state", async () => {
    const { api, clock, events, told } = await started();
    api.put("a", 1);
    api.put("a", 2);
    api.remove("a");
    api.put("a", 3);
    await clock.settle();
    expect(events[1]).toMatchObject({ old: { spec: { value: 1 } }, object: { spec: { value: 2 } } });
    expect(told()).toEqual(["added a=1", "updated a=2", "deleted a", "added a=3"]);
  });

  test("what a relist replaces comes after what the watch said before it", async () => {
    const { api, clock, told } = await started({ api: apiWith("a") });
    api.put("a", 2);
    await clock.settle();
    api.silence();
    api.put("a", 3);
    api.elsewhere();
    api.compact();
    api.cut(new StatusError(410));
    await clock.advance(2_000);
    expect(told()).toEqual(["added a=1", "updated a=2", "updated a=3"]);
  });

  test("what comes in while a resync runs is heard after it, once", async () => {
    const { api, clock, told } = await started({ api: apiWith("a", "b"), resyncMs: 1_000 });
    told();
    await clock.advance(1_000);
    api.put("b", 2);
    await clock.settle();
    expect(told()).toEqual(["updated a=1 again", "updated b=1 again", "updated b=2"]);
  });
});

describe("DeltaFIFO: compression is narrow: only two consecutive Deletes merge, preferring the one with a known final object. Updates are not merged.", () => {
  test("1,000 updates in one batch are 1,000 events", async () => {
    const { api, clock, told } = await started({ api: apiWith("a") });
    for (let value = 2; value <= 1_001; value++) api.put("a", value);
    await clock.settle();
    expect(told()).toEqual(["added a=1", ...Array.from({ length: 1_000 }, (_, index) => `updated a=${index + 2}`)]);
  });

  test("a deletion that is seen by the watch and again by a relist is heard once, with its final state", async () => {
    const { api, clock, told } = await started({ api: apiWith("a") });
    told();
    api.remove("a");
    api.elsewhere();
    api.compact();
    api.cut(new StatusError(410), 1);
    await clock.advance(5_000);
    expect(api.lists).toBe(2);
    expect(told()).toEqual(["deleted a"]);
  });

  test("events that a reconnect repeats are not heard again", async () => {
    const { api, clock, held, told } = await started({ api: apiWith("a") });
    api.repeats = 3;
    api.put("a", 2);
    api.put("b", 1);
    api.remove("b");
    await clock.settle();
    told();
    api.cut();
    api.put("a", 3);
    await clock.advance(2_000);
    expect(told()).toEqual(["updated a=3"]);
    expect(held()).toEqual(["a=3"]);
  });
});

describe("DeltaFIFO: cache updated before handlers run; handlers for one object never run out of order", () => {
  test("a handler reads in the cache what it is told", async () => {
    const { api, clock, things } = await started();
    const seen: (number | undefined)[] = [];
    things.subscribe(({ object }) => seen.push(things.get(`shop/${object.metadata.name}`)?.spec.value));
    api.put("a", 1);
    api.put("a", 2);
    api.remove("a");
    await clock.settle();
    expect(seen).toEqual([1, 2, undefined]);
  });

  test("a handler that throws affects no other, no later event, and is reported", async () => {
    const { api, clock, facts, held, things } = await started();
    const heard: string[] = [];
    things.subscribe(() => {
      throw new Error("broken handler");
    });
    things.subscribe(({ type }) => heard.push(type));
    api.put("a", 1);
    api.put("a", 2);
    await clock.settle();
    expect(heard).toEqual(["added", "updated"]);
    expect(held()).toEqual(["a=2"]);
    expect(facts("handler failed").map(({ error }) => (error as Error).message)).toEqual([
      "broken handler",
      "broken handler",
    ]);
  });

  test("a late subscriber first hears of what is there, then of changes; also when it subscribes within an event", async () => {
    const { api, clock, things } = await started({ api: apiWith("a") });
    const heard: string[] = [];
    const subscribeOnce = things.subscribe(({ type }) => {
      if (type !== "updated") return;
      subscribeOnce();
      things.subscribe((event) =>
        heard.push(
          `${event.type} ${event.object.spec.value}${event.type === "added" && event.isInitial ? " first" : ""}`,
        ),
      );
    });
    api.put("a", 2);
    api.put("a", 3);
    await clock.settle();
    expect(heard).toEqual(["added 2 first", "updated 3"]);
  });

  test("what the first list brings is marked as initial, what comes later is not", async () => {
    const { api, clock, events } = await started({ api: apiWith("a") });
    api.put("b", 1);
    await clock.settle();
    expect(events.map((event) => event.type === "added" && event.isInitial)).toEqual([true, false]);
  });

  test("who has unsubscribed hears nothing, not even the rest of the event", async () => {
    const { api, clock, things } = await started();
    const heard: string[] = [];
    const unsubscribers: (() => void)[] = [];
    things.subscribe(() => unsubscribers[0]?.());
    unsubscribers.push(things.subscribe(({ type }) => heard.push(type)));
    api.put("a", 1);
    await clock.settle();
    expect(heard).toEqual([]);
  });
});

describe("Indexer: returned objects are read-only: freeze in tests, clone before mutating", () => {
  test("a frozen cache refuses every change, however deep", async () => {
    const { things } = await started({ api: apiWith("a") });
    const object = things.get("shop/a") as { spec: { value: number } };
    expect(() => (object.spec.value = 9)).toThrow(TypeError);
    expect(() => Object.assign(object, { status: {} })).toThrow(TypeError);
  });

  test("read-only by type", async () => {
    const { things } = await started({ api: apiWith("a") });
    const change = (): void => {
      const object = things.get("shop/a");
      // @ts-expect-error what the cache hands out is Readonly
      if (object) object.metadata = { name: "b" };
    };
    expect(change).toThrow(TypeError);
  });
});

describe("Resync re-delivers cached objects (minimum 1 s period) without calling the API, skipping keys with pending deltas", () => {
  test("every object is heard again as an update by itself, and nobody is asked", async () => {
    const { api, clock, told } = await started({ api: apiWith("a", "b"), resyncMs: 10_000 });
    told();
    const askedBefore = api.asked.length;
    await clock.advance(20_000);
    expect(told()).toEqual(["updated a=1 again", "updated b=1 again", "updated a=1 again", "updated b=1 again"]);
    expect(api.asked).toHaveLength(askedBefore);
  });

  test("a period below 1 s is 1 s", async () => {
    const { clock, told } = await started({ api: apiWith("a"), resyncMs: 1 });
    told();
    await clock.advance(3_000);
    expect(told()).toHaveLength(3);
  });

  test("an object whose change is being taken in is left out", async () => {
    const { api, clock, events, things, told } = await started({ api: apiWith("a", "b", "c"), resyncMs: 1_000 });
    told();
    // From the first event of the batch on every event takes 10 ms, so handling pauses after each; the resync comes due.
    let isFirst = true;
    things.subscribe((event) => {
      if (event.type !== "updated" || !isFirst) return;
      isFirst = false;
      Object.defineProperty(clock, "monotonic", { value: pausing(() => clock.now()) });
      void clock.advance(1_000);
    });
    for (let value = 2; value <= 50; value++) api.put("a", value);
    api.put("b", 2);
    await vi.waitFor(() => expect(events.at(-1)?.object.metadata.name).toBe("c"));
    expect(told().slice(-2)).toEqual(["updated b=2", "updated c=1 again"]);
  });
});

/** Every look at the time is 10 ms later, as if each step took so long. */
function pausing(nowMs: () => number): () => number {
  let spentMs = 0;
  return () => nowMs() + (spentMs += 10);
}

describe("what the cache holds", () => {
  test("no managedFields; unknown fields stay; apiVersion and kind also where a list leaves them out", async () => {
    const api = apiWith("a");
    const { apiVersion: _, kind: __, ...bare } = api.objects.get("shop/a") as Thing;
    api.objects.set("shop/a", { ...bare, status: { brandNew: [1] } } as unknown as Thing);
    const { things } = await started({ api });
    const object = things.get("shop/a");
    expect(object).toMatchObject({ apiVersion: "test.chaski.dev/v1", kind: "Thing", status: { brandNew: [1] } });
    expect(object?.metadata).not.toHaveProperty("managedFields");
  });

  test("what the transform leaves of it", async () => {
    const { held } = await started({ api: apiWith("a"), transform: (thing) => ({ ...thing, spec: { value: 7 } }) });
    expect(held()).toEqual(["a=7"]);
  });

  test.each([
    {
      what: "a transform",
      error: "13 can't be",
      options: {
        transform: (thing: Thing): Thing => {
          if (thing.spec.value === 13) throw new Error("13 can't be");
          return thing;
        },
      },
    },
    {
      what: "a transform that loses its identity",
      error: "metadata.resourceVersion is missing",
      options: {
        transform: (thing: Thing): Thing =>
          thing.spec.value === 13 ? { ...thing, metadata: { name: thing.metadata.name } } : thing,
      },
    },
    {
      what: "an index function",
      error: "13 can't be",
      options: {
        indices: {
          unlucky: ({ spec }: Readonly<Thing>): readonly string[] => {
            if (spec.value === 13) throw new Error("13 can't be");
            return [];
          },
        },
      },
    },
  ])(
    "an object that $what chokes on is skipped and named; others and its deletion are not",
    async ({ options, error }) => {
      const api = apiWith("a");
      api.put("b", 13);
      const { clock, facts, held, told } = await started({ api, ...options });
      api.put("a", 13);
      api.put("c", 1);
      await clock.settle();
      expect(held()).toEqual(["a=1", "c=1"]);
      expect(facts("malformed object").map(({ error }) => error.message)).toEqual([
        `Thing shop/b can't be cached: ${error}`,
        `Thing shop/a can't be cached: ${error}`,
      ]);
      told();
      api.remove("a");
      await clock.settle();
      expect(held()).toEqual(["c=1"]);
      expect(told()[0]).toMatch(/^deleted a/);
    },
  );
});

test("backpressure: the body is read only as fast as it is handled", async () => {
  const { api, clock, things } = await started();
  let readAhead = 0;
  let handled = 0;
  api.batchSize = () => {
    readAhead = Math.max(readAhead, ++reads - handled);
    return 1;
  };
  let reads = 0;
  things.subscribe(() => handled++);
  for (let value = 0; value < 100; value++) api.put("a", value);
  await clock.settle();
  expect(handled).toBe(100);
  expect(readAhead).toBe(1);
});
