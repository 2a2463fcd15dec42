import { afterEach, describe, expect, test } from "vitest";
import {
  type Boat,
  boat,
  boatController,
  type BoatWorld,
  sail,
  sailing,
  setUp,
  stopAll,
} from "../../test/doubles/boats.ts";
import { Invalid } from "../client/errors.ts";
import { type Decision, decision, type Step } from "../decision/index.ts";
import { CHANGES_IN_A_ROW_MAX } from "./outcome.ts";

afterEach(stopAll);

describe("canaries §13, Controller", () => {
  test("no worker starts before every cache has synced", async () => {
    const { clock, applier, boats, start, sync } = setUp();
    boats.hasSynced = false;
    start();
    boats.put(boat("tern"), { isInitial: true });
    await clock.advance(60_000);
    expect(applier.keys).toEqual([]);
    sync();
    await clock.settle();
    expect(applier.keys).toEqual(["sea/tern"]);
  });

  test("a resync re-delivers cached objects, behind live changes, and once for keys that are queued already", async () => {
    const { clock, applier, loop, boats } = await sailing();
    boats.put(boat("gull"));
    await clock.advance(50);
    applier.passes.length = 0;
    applier.answer = () => clock.sleep(1_000).then(() => ({ outcome: "committed", hasChanged: false }));
    boats.resync();
    boats.resync();
    boats.put(boat("heron"));
    await clock.advance(50);
    expect(loop.queue.depth).toBe(2);
    await clock.advance(60_000);
    // The second resync found tern in hand, and gull still queued by the first.
    expect(applier.keys).toEqual(["sea/tern", "sea/heron", "sea/gull", "sea/tern"]);
  });

  test("reconcile is level-based: a burst of 10,000 changes gives one pass, which sees the last of them", async () => {
    const { clock, applier, boats } = await sailing();
    for (let sails = 1; sails <= 10_000; sails++) boats.put(boat("tern", { sails }));
    await clock.advance(1_000);
    expect(applier.passes.map(({ owner }) => (owner as Boat).spec.sails)).toEqual([10_000]);
  });

  test("stop ends intake, finishes the item in hand and takes no other", async () => {
    const { clock, applier, loop, boats } = await sailing();
    let finish = (): void => {};
    applier.answer = () =>
      new Promise((resolve) => (finish = () => resolve({ outcome: "committed", hasChanged: true })));
    boats.put(boat("tern", { sails: 2 }));
    boats.put(boat("gull"));
    await clock.advance(50);
    let hasStopped = false;
    const stopped = loop.stop().then(() => (hasStopped = true));
    boats.put(boat("heron"));
    await clock.advance(1_000);
    expect(hasStopped).toBe(false);
    finish();
    await stopped;
    expect(applier.keys).toEqual(["sea/tern"]);
  });

  test("stop is bounded: when its signal aborts, so does the pass in hand", async () => {
    const { clock, applier, loop, boats } = await sailing();
    applier.answer = ({ signal }) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));
    boats.put(boat("tern", { sails: 2 }));
    await clock.advance(50);
    const abandon = clock.deadline(5_000);
    const stopped = loop.stop(abandon.signal);
    await clock.advance(5_000);
    await stopped;
  });
});

describe("a pass", () => {
  test("sees what its owner owns, and the time", async () => {
    const worlds: BoatWorld[] = [];
    const definition = boatController((world) => {
      worlds.push(world);
      return decision({});
    });
    const { clock, sails } = await sailing(definition);
    sails.put(sail("jib", "sea/tern"));
    sails.put(sail("main", "sea/gull"));
    await clock.advance(50);
    expect(worlds.at(-1)?.sails.map(({ metadata }) => metadata.name)).toEqual(["jib"]);
    expect(worlds.at(-1)?.nowMs).toBe(clock.now());
  });

  test("waits until the cache has caught up with our own writes", async () => {
    const { clock, applier, boats } = await sailing();
    let catchUp = (): void => {};
    boats.catchingUp = new Promise((resolve) => (catchUp = resolve));
    boats.put(boat("tern", { sails: 2 }));
    await clock.advance(10_000);
    expect(applier.keys).toEqual([]);
    boats.put(boat("tern", { sails: 3 }));
    catchUp();
    await clock.advance(1_000);
    expect(applier.passes.map(({ owner }) => (owner as Boat).spec.sails)).toEqual([3]);
  });

  test("commits steps that follow from one another at once, if its controller says so", async () => {
    const hoist = ({ object }: BoatWorld): Decision<unknown> => {
      const { hoisted = 0 } = (object as { readonly status?: { readonly hoisted: number } }).status ?? {};
      return decision({ status: { hoisted: Math.min(object.spec.sails, hoisted + 1) } });
    };
    const completed: unknown[] = [];
    const step = (world: BoatWorld): Step<unknown> => {
      const decided = hoist(world);
      const complete = (): Decision<unknown> => {
        completed.push(decided.status);
        return decided;
      };
      return { ...decided, complete };
    };
    const ahead = { mayFollow: () => true, step };
    const { clock, applier, boats } = await sailing({ ...boatController(hoist), ahead });
    boats.put(boat("tern", { sails: 3 }));
    await clock.advance(50);
    expect(applier.passes.map(({ decision: { status } }) => status)).toEqual([{ hoisted: 3 }]);
    expect(completed, "of each pass the last").toEqual([{ hoisted: 1 }, { hoisted: 3 }]);
  });

  test("that changed something looks again when what follows may show", async () => {
    const { clock, applier, boats } = await sailing();
    const answers = [true, true, false];
    applier.answer = () => ({ outcome: "committed", hasChanged: answers.shift() ?? false });
    boats.put(boat("tern", { sails: 2 }));
    await clock.advance(50);
    expect(applier.keys).toHaveLength(1);
    await clock.advance(100);
    expect(applier.keys).toHaveLength(3);
    await clock.advance(3_600_000);
    expect(applier.keys).toHaveLength(3);
  });

  test("that changes something every time backs off instead of spinning", async () => {
    const { clock, applier, boats } = await sailing();
    applier.answer = () => ({ outcome: "committed", hasChanged: true });
    boats.put(boat("tern", { sails: 2 }));
    await clock.advance(60_000);
    expect(applier.keys.length).toBeLessThan(CHANGES_IN_A_ROW_MAX + 20);
  });

  test("is repeated at the time that it asked for, and not at one that a later pass has dropped", async () => {
    let wakeInMs: number | undefined = 60_000;
    const definition = boatController(({ nowMs }) =>
      decision(wakeInMs === undefined ? {} : { wakeAtMs: nowMs + wakeInMs }),
    );
    const { clock, applier, boats } = await sailing(definition);
    await clock.advance(59_999);
    expect(applier.keys).toHaveLength(0);
    await clock.advance(1);
    expect(applier.keys).toHaveLength(1);
    wakeInMs = undefined;
    boats.put(boat("tern", { sails: 2 }));
    await clock.advance(50);
    expect(applier.keys).toHaveLength(2);
    await clock.advance(3_600_000);
    expect(applier.keys).toHaveLength(2);
  });

  test("that throws is retried with backoff, and no other owner notices", async () => {
    let isBroken = true;
    const attempts: number[] = [];
    const definition = boatController(({ object, nowMs }) => {
      if (object.metadata.name !== "tern") return decision({});
      attempts.push(nowMs);
      if (isBroken) throw new Error("the mast broke");
      return decision({});
    });
    const { clock, applier, boats, start } = setUp(definition);
    start();
    boats.put(boat("tern"), { isInitial: true });
    boats.put(boat("gull"), { isInitial: true });
    await clock.advance(5 + 10 + 20 + 40);
    expect(attempts.map((atMs) => atMs - (attempts[0] ?? 0))).toEqual([0, 5, 15, 35, 75]);
    expect(applier.keys).toEqual(["sea/gull"]);
    isBroken = false;
    await clock.advance(80);
    expect(applier.keys).toEqual(["sea/gull", "sea/tern"]);
    await clock.advance(3_600_000);
    expect(attempts).toHaveLength(6);
  });

  test("that mutates its world fails in tests", async () => {
    const definition = boatController((world) => {
      (world.object.spec as { sails: number }).sails = 7;
      return decision({});
    });
    const { clock, applier, boats, start } = setUp(definition);
    start();
    boats.put(boat("tern"));
    await clock.advance(1_000);
    expect(applier.keys).toEqual([]);
    expect(boats.get("sea/tern")).toMatchObject({ spec: { sails: 1 } });
  });

  test("that is stalled is not retried until the object changes", async () => {
    const stalled = { reason: "BadSpec", message: "sails must be positive" };
    const definition = boatController(() => decision({ stalled, wakeAtMs: 0 }));
    const { clock, applier, boats } = await sailing(definition);
    await clock.advance(3_600_000);
    expect(applier.keys).toEqual([]);
    boats.put(boat("tern", { sails: 2 }));
    await clock.advance(50);
    expect(applier.keys).toEqual(["sea/tern"]);
  });

  test("that the server calls invalid is not retried until the object changes", async () => {
    const { clock, applier, boats } = await sailing();
    applier.answer = () => {
      const attempted = { cluster: "local", verb: "patch" };
      throw new Invalid(attempted, { message: "spec.sails: must be odd", causes: [] });
    };
    boats.put(boat("tern", { sails: 2 }));
    await clock.advance(3_600_000);
    expect(applier.keys).toHaveLength(1);
  });

  test("whose object moved on decides again, without counting as a failure", async () => {
    const { clock, applier, loop, boats } = await sailing();
    const answers = ["superseded", "committed"] as const;
    applier.answer = () => ({ outcome: answers[applier.passes.length - 1] ?? "committed", hasChanged: false });
    boats.put(boat("tern", { sails: 2 }));
    await clock.advance(60_000);
    expect(applier.keys).toHaveLength(2);
    expect(loop.queue.failures("sea/tern")).toBe(0);
  });

  test("tells its events once the decision is committed, and not before", async () => {
    const told: string[] = [];
    const definition = boatController(({ object }) =>
      decision({ events: [{ type: "Normal", reason: "Set", message: `${object.spec.sails} sails` }] }),
    );
    const events = { record: (_: unknown, { message }: { message: string }) => void told.push(message) };
    const { clock, applier, boats } = await sailing(definition, { events });
    applier.answer = () => ({ outcome: "superseded" });
    boats.put(boat("tern", { sails: 2 }));
    await clock.advance(50);
    expect(told).toEqual(["1 sails"]);
    applier.answer = () => ({ outcome: "committed", hasChanged: false });
    await clock.advance(1_000);
    expect(told).toEqual(["1 sails", "2 sails"]);
  });

  test("tells an event of what it is about, where that is not its owner", async () => {
    const pier = { apiVersion: "v1", kind: "Pier", metadata: { namespace: "sea", name: "north" } };
    const note = { type: "Normal", reason: "Moored", message: "at the north pier" } as const;
    const told: unknown[] = [];
    const events = { record: (regarding: unknown) => void told.push(regarding) };
    await sailing(
      boatController(() => decision({ events: [{ ...note, regarding: pier }] })),
      { events },
    );
    expect(told).toEqual([pier]);
  });

  test("of an object that is gone does nothing", async () => {
    const { clock, applier, boats } = await sailing();
    boats.drop("sea/tern");
    await clock.advance(60_000);
    expect(applier.keys).toEqual([]);
  });

  test("carries a trace id of its own", async () => {
    const { clock, applier, boats } = await sailing();
    boats.put(boat("tern", { sails: 2 }));
    await clock.advance(50);
    boats.put(boat("tern", { sails: 3 }));
    await clock.advance(50);
    const [first, second] = applier.passes.map(({ traceId }) => traceId);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).not.toBe(first);
  });

  test("that takes too long is told so by its signal, and retried", async () => {
    const { clock, applier, boats } = await sailing(boatController(), { passDeadlineMs: 10_000 });
    const startedMs = clock.now();
    applier.answer = ({ signal }) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));
    boats.put(boat("tern", { sails: 2 }));
    await clock.advanceUntil(() => applier.keys.length === 2);
    expect(clock.now() - startedMs).toBe(50 + 10_000 + 5);
    applier.answer = () => ({ outcome: "committed", hasChanged: false });
    await clock.advance(10_000);
  });

  test("is not made by a replica that does not lead", async () => {
    let isLeading = true;
    const { clock, applier, boats } = await sailing(boatController(), { isLeading: () => isLeading });
    isLeading = false;
    boats.put(boat("tern", { sails: 2 }));
    await clock.advance(60_000);
    expect(applier.keys).toEqual([]);
  });

  test("of one owner never runs beside another of the same owner; different owners run side by side", async () => {
    const definition = { ...boatController(), concurrency: 4 };
    const { clock, applier, boats } = await sailing(definition);
    const running = new Map<string, number>();
    let widest = 0;
    applier.answer = async ({ owner }) => {
      const { name } = owner.metadata;
      expect(running.get(name) ?? 0).toBe(0);
      running.set(name, 1);
      widest = Math.max(
        widest,
        [...running.values()].reduce((sum, each) => sum + each, 0),
      );
      await clock.sleep(100);
      running.set(name, 0);
      return { outcome: "committed", hasChanged: false };
    };
    for (let sails = 2; sails < 20; sails++) {
      for (const name of ["auk", "coot", "tern", "gull", "heron"]) boats.put(boat(name, { sails }));
      await clock.advance(60);
    }
    await clock.advance(1_000);
    expect(widest).toBe(4);
  });
});
