import { seededRandom, VirtualClock } from "@chaski/clock";
import type { CoreEvent, KubeObject } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { Forbidden, NotFound } from "../client/errors.ts";
import type { EventNote } from "../decision/index.ts";
import { Lru } from "./lru.ts";
import { QueuedRecorder } from "./recorder.ts";

const attempted = { cluster: "local", verb: "create" };
const TELL_AFTER_MS = 250;

/** Where events end up; may be cut off, or refuse. */
class EventServer {
  readonly events = new Map<string, CoreEvent>();
  readonly triedAtMs: number[] = [];
  failure: Error | undefined;
  answersInMs = 0;
  readonly #clock: VirtualClock;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  create = async (event: CoreEvent): Promise<CoreEvent> => {
    this.#arrive();
    if (this.answersInMs > 0) await this.#clock.sleep(this.answersInMs);
    this.events.set(event.metadata.name, event);
    return event;
  };

  patch = async (key: { name: string }, _type: string, patch: object): Promise<CoreEvent> => {
    this.#arrive();
    const known = this.events.get(key.name);
    if (!known) throw new NotFound(attempted, { message: "not found", status: 404, isKindMissing: false });
    const patched = { ...known, ...patch };
    this.events.set(key.name, patched);
    return patched;
  };

  get told(): readonly string[] {
    return [...this.events.values()].map(({ message, count }) => `${message} x${count}`);
  }

  #arrive(): void {
    this.triedAtMs.push(this.#clock.now());
    if (this.failure) throw this.failure;
  }
}

function setUp() {
  const clock = new VirtualClock();
  const server = new EventServer(clock);
  const dropped: string[] = [];
  const recorder = new QueuedRecorder({
    events: server,
    source: { component: "chaski", instance: "chaski-0" },
    clock,
    random: seededRandom(3),
    onDropped: (_event, because) => dropped.push(because),
  });
  return { clock, server, recorder, dropped };
}

const web: KubeObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { namespace: "shop", name: "web", uid: "7", resourceVersion: "12" },
};

function note(message: string, reason = "Promoted"): EventNote {
  return { type: "Normal", reason, message };
}

describe("canaries §13, Events", () => {
  test("recording never blocks: the buffer holds 10,000, and what comes when it is full is dropped", async () => {
    const { clock, server, recorder, dropped } = setUp();
    server.failure = new Error("no route to host");
    recorder.record({ ...web, metadata: { name: "in flight" } }, note("ready"));
    await clock.advance(TELL_AFTER_MS);
    for (let number = 0; number < 10_010; number++) {
      recorder.record({ ...web, metadata: { name: `web-${number}` } }, note("ready"));
    }
    expect(dropped).toEqual(Array.from({ length: 10 }, () => "full"));
    server.failure = undefined;
    await clock.advance(RETRY_MAX_MS + PAUSE_MAX_MS);
    expect(server.events.size).toBe(10_001);
  });

  test("an event leaves the first moment to the work that it tells about", async () => {
    const { clock, server, recorder } = setUp();
    recorder.record(web, note("ready"));
    await clock.advance(TELL_AFTER_MS - 1);
    expect(server.told).toEqual([]);
    await clock.advance(1);
    expect(server.told).toEqual(["ready x1"]);
  });

  test.each([
    { answersInMs: [50, 50], pausesMs: 0, server: "a server that is far away is told the next event at once" },
    { answersInMs: [5, 15], pausesMs: 0, server: "so is one that is a little late" },
    {
      answersInMs: [5, 55],
      pausesMs: 450,
      server: "a busy one is left in peace for nine times as long as it was late",
    },
    {
      answersInMs: [55, 5],
      pausesMs: 0,
      server: "one that has become quicker is not made to wait for what was before",
    },
    { answersInMs: [5, 9_000], pausesMs: 1_000, server: "the slowest one for a second" },
  ])("$server", async ({ answersInMs, pausesMs }) => {
    const { clock, server, recorder } = setUp();
    for (const [index, inMs] of answersInMs.entries()) {
      server.answersInMs = inMs;
      recorder.record(web, note(`event ${index}`));
      recorder.record(web, note(`after event ${index}`));
      await clock.advance(60_000);
    }
    const [second = 0, third = 0] = server.triedAtMs.slice(-2);
    expect(third - second).toBe((answersInMs.at(-1) ?? 0) + pausesMs);
  });

  test("an object that talks does not keep another waiting, and its own events keep their order", async () => {
    const { clock, server, recorder } = setUp();
    for (const message of ["one", "two", "three"]) recorder.record(web, note(message));
    recorder.record({ ...web, metadata: { name: "api" } }, note("other"));
    await clock.advance(TELL_AFTER_MS);
    expect(server.told).toEqual(["one x1", "other x1", "two x1", "three x1"]);
  });

  test("identical events patch a count, once in five minutes at most", async () => {
    const { clock, server, recorder } = setUp();
    for (let time = 0; time < 4; time++) {
      recorder.record(web, note("batch 1 is ready"));
      await clock.advance(1_000);
    }
    await clock.advance(290_000);
    expect(server.told).toEqual(["batch 1 is ready x1"]);
    await clock.advance(10_000);
    expect(server.triedAtMs).toHaveLength(2);
    const [event] = server.events.values();
    expect(server.events.size).toBe(1);
    expect(event).toMatchObject({
      count: 4,
      type: "Normal",
      reason: "Promoted",
      message: "batch 1 is ready",
      firstTimestamp: "2026-01-01T00:00:00Z",
      lastTimestamp: "2026-01-01T00:00:03Z",
      involvedObject: { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web", uid: "7" },
    });
  });

  test("ten or more distinct messages sharing a key within 600 s collapse into one aggregate", async () => {
    const { clock, server, recorder } = setUp();
    for (let number = 1; number <= 15; number++) {
      recorder.record(web, note(`pod ${number} is slow`));
      await clock.advance(1_000);
    }
    await recorder.flush();
    expect(server.told).toEqual([
      ...Array.from({ length: 9 }, (_, index) => `pod ${index + 1} is slow x1`),
      "(combined from similar events): pod 15 is slow x6",
    ]);
  });

  test("messages more than 600 s apart do not collapse", async () => {
    const { clock, server, recorder } = setUp();
    for (let number = 1; number <= 12; number++) {
      recorder.record(web, note(`pod ${number} is slow`));
      await clock.advance(600_001);
    }
    expect(server.events.size).toBe(12);
  });

  test("messages of different reasons do not collapse", async () => {
    const { clock, server, recorder } = setUp();
    for (let number = 1; number <= 12; number++) recorder.record(web, note("slow", `Reason${number}`));
    await clock.advance(TELL_AFTER_MS);
    expect(server.events.size).toBe(12);
  });

  test("spam filter per source and object: a burst of 25, then one per 300 s; other objects are not affected", async () => {
    const { clock, server, recorder, dropped } = setUp();
    for (let number = 0; number < 40; number++) recorder.record(web, note("flapping", `Reason${number}`));
    recorder.record({ ...web, metadata: { ...web.metadata, name: "api", uid: "8" } }, note("fine"));
    await clock.advance(TELL_AFTER_MS);
    expect(server.told.filter((told) => told === "flapping x1")).toHaveLength(25);
    expect(server.told).toContain("fine x1");
    expect(dropped).toHaveLength(15);
    await clock.advance(300_000);
    recorder.record(web, note("flapping", "Again"));
    recorder.record(web, note("flapping", "AndAgain"));
    await clock.advance(TELL_AFTER_MS);
    expect(server.events.size).toBe(27);
    expect(dropped).toHaveLength(16);
  });

  test("when the process ends, what was counted and not told yet is told at once", async () => {
    const { server, recorder } = setUp();
    for (let time = 0; time < 3; time++) recorder.record(web, note("ready"));
    await recorder.flush();
    expect(server.told).toEqual(["ready x3"]);
  });

  test("the correlation remembers the 4096 that were used last", () => {
    const lru = new Lru<number>(4_096);
    for (let number = 0; number < 4_096; number++) lru.set(`key-${number}`, number);
    lru.get("key-0");
    lru.set("one more", 1);
    expect([lru.size, lru.get("key-0"), lru.get("key-1")]).toEqual([4_096, 0, undefined]);
  });

  test("transport failure: 12 tries, 10 s apart, the first pause randomised; then it is dropped", async () => {
    const { clock, server, recorder, dropped } = setUp();
    server.failure = new Error("connection refused");
    recorder.record(web, note("ready"));
    await clock.advance(600_000);
    const pauses = server.triedAtMs.slice(1).map((atMs, index) => atMs - (server.triedAtMs[index] ?? 0));
    expect(server.triedAtMs).toHaveLength(12);
    expect(pauses[0]).toBeLessThan(10_000);
    expect(pauses.slice(1)).toEqual(Array.from({ length: 10 }, () => 10_000));
    expect(dropped).toEqual(["unreachable"]);
  });

  test("after a stop nothing is tried again, however much there is to tell", async () => {
    const { clock, server, recorder } = setUp();
    server.failure = new Error("connection refused");
    for (const message of ["ready", "steady", "gone"]) recorder.record(web, note(message));
    await clock.advance(TELL_AFTER_MS);
    recorder.stop();
    await recorder.flush();
    recorder.record(web, note("late"));
    await clock.advance(600_000);
    expect(server.triedAtMs).toHaveLength(1);
  });

  test("server rejection: dropped at once, and the next event goes out", async () => {
    const { clock, server, recorder, dropped } = setUp();
    server.failure = new Forbidden(attempted, { message: "the namespace is being terminated", status: 403 });
    recorder.record(web, note("ready"));
    await clock.advance(TELL_AFTER_MS);
    expect(server.triedAtMs).toHaveLength(1);
    expect(dropped).toEqual(["refused"]);
    server.failure = undefined;
    recorder.record(web, note("steady"));
    await clock.advance(TELL_AFTER_MS);
    expect(server.told).toEqual(["steady x1"]);
  });
});

const RETRY_MAX_MS = 10_000;
const PAUSE_MAX_MS = 1_000;

test("an event that the server has forgotten after its hour is created again", async () => {
  const { clock, server, recorder } = setUp();
  recorder.record(web, note("ready"));
  await clock.advance(TELL_AFTER_MS);
  server.events.clear();
  recorder.record(web, note("ready"));
  await clock.advance(300_000);
  expect(server.told).toEqual(["ready x2"]);
});

test("an event of an object without a namespace lives in default, and a long message is cut", async () => {
  const { clock, server, recorder } = setUp();
  recorder.record({ apiVersion: "v1", kind: "Node", metadata: { name: "n1" } }, note("x".repeat(5_000)));
  await clock.advance(TELL_AFTER_MS);
  const [event] = server.events.values();
  expect(event?.metadata.namespace).toBe("default");
  expect(event?.message).toHaveLength(1_024);
});
