import { seededRandom, VirtualClock } from "@chaski/clock";
import { ConfigMap, type TransportRequest, type TransportResponse } from "@chaski/kube";
import { beforeEach, describe, expect, test } from "vitest";
import { createClient } from "./create-client.ts";
import type { Credentials } from "./credentials.ts";
import type { RequestNote } from "./requester.ts";

type Turn = TransportResponse | Error | "hang";

const key = { namespace: "shop", name: "web" };
const object = { apiVersion: "v1", kind: "ConfigMap", metadata: key } as const;

let clock: VirtualClock;
let sent: TransportRequest[];
let notes: RequestNote[];
beforeEach(() => {
  clock = new VirtualClock();
  sent = [];
  notes = [];
});

/** A client of a server that answers one turn after the other, the last one for ever. */
function clientWith(
  turns: readonly Turn[],
  settings: { credentials?: Credentials; rateLimit?: { perSecond: number; burst: number } } = {},
) {
  const transport = {
    async send(request: TransportRequest): Promise<TransportResponse> {
      const turn = turns[Math.min(sent.length, turns.length - 1)];
      sent.push(request);
      if (turn instanceof Error) throw turn;
      return turn === undefined || turn === "hang" ? new Promise(() => {}) : turn;
    },
    close: () => Promise.resolve(),
  };
  return createClient({
    cluster: "west",
    transport,
    clock,
    random: seededRandom(1),
    onRequest: (note) => notes.push(note),
    ...settings,
  }).of(ConfigMap);
}

function answer(status: number, body: unknown = object, headers: Record<string, string> = {}): TransportResponse {
  return {
    status,
    headers,
    body: (async function* () {
      yield Buffer.from(JSON.stringify(body));
    })(),
  };
}

const statusOf = (reason: string) => ({ kind: "Status", reason, message: reason });
const reset = Object.assign(new Error("reset"), { code: "ECONNRESET" });
const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });

/** Settles the call by moving the clock, and says how long that took. */
async function outcome<T>(call: Promise<T>): Promise<{ value?: T; error?: unknown; tookMs: number }> {
  const startMs = clock.now();
  let result: { value?: T; error?: unknown } | undefined;
  call.then(
    (value) => (result = { value }),
    (error: unknown) => (result = { error }),
  );
  await clock.advanceUntil(() => result !== undefined);
  return { ...result, tookMs: clock.now() - startMs };
}

describe("what the client tries again by itself", () => {
  test.each([
    {
      what: "429 with Retry-After",
      turn: () => answer(429, statusOf("TooManyRequests"), { "retry-after": "2" }),
      waitMs: 2_000,
    },
    { what: "429 without", turn: () => answer(429, statusOf("TooManyRequests")), waitMs: 1_000 },
    {
      what: "503 with Retry-After",
      turn: () => answer(503, statusOf("ServiceUnavailable"), { "retry-after": "1" }),
      waitMs: 1_000,
    },
  ])("$what: a write waits and is sent again", async ({ turn, waitMs }) => {
    const { value, tookMs } = await outcome(clientWith([turn(), answer(201)]).create(object));
    expect(value).toEqual(object);
    expect(sent).toHaveLength(2);
    expect(tookMs).toBeGreaterThanOrEqual(waitMs);
    expect(tookMs).toBeLessThanOrEqual(waitMs * 1.1 + 1);
  });

  test("only five times", async () => {
    const turns = Array.from({ length: 10 }, () => answer(429, statusOf("TooManyRequests"), { "retry-after": "1" }));
    const { error } = await outcome(clientWith(turns).create(object));
    expect(error).toMatchObject({ reason: "TooManyRequests", retryAfterMs: 1_000 });
    expect(sent).toHaveLength(6);
  });

  test("not when the wait would pass the deadline: the caller hears at once for how long", async () => {
    const turn = answer(429, statusOf("TooManyRequests"), { "retry-after": "60" });
    const { error, tookMs } = await outcome(clientWith([turn]).get(key));
    expect(error).toMatchObject({ reason: "TooManyRequests", retryAfterMs: 60_000 });
    expect(tookMs).toBe(0);
  });

  test("a read on a connection that the server had closed, once", async () => {
    expect((await outcome(clientWith([reset, answer(200)]).get(key))).value).toEqual(object);
    sent = [];
    expect((await outcome(clientWith([reset, reset, answer(200)]).get(key))).error).toMatchObject({
      reason: "ConnectionLost",
    });
    expect(sent).toHaveLength(2);
  });

  test.each([
    { what: "a write that was cut", turn: () => reset, call: "create", reason: "ConnectionLost" },
    { what: "a read that was refused", turn: () => refused, call: "get", reason: "ConnectionLost" },
    { what: "a 500", turn: () => answer(500, statusOf("InternalError")), call: "get", reason: "ServerError" },
    {
      what: "a 503 without Retry-After",
      turn: () => answer(503, statusOf("Unavailable")),
      call: "get",
      reason: "ServerError",
    },
    { what: "a conflict", turn: () => answer(409, statusOf("Conflict")), call: "update", reason: "Conflict" },
  ] as const)("never $what", async ({ turn, call, reason }) => {
    const client = clientWith([turn(), answer(200)]);
    const { error } = await outcome(call === "get" ? client.get(key) : client[call](object));
    expect(error).toMatchObject({ reason });
    expect(sent).toHaveLength(1);
  });
});

describe("credentials", () => {
  const rotating = (tokens: string[]): Credentials => ({
    authorization: async () => tokens[0],
    refuse: () => tokens.length > 1 && tokens.shift() !== undefined,
  });

  test("a refused token is replaced once, for writes too", async () => {
    const turns = [answer(401, statusOf("Unauthorized")), answer(201)];
    const { value } = await outcome(clientWith(turns, { credentials: rotating(["old", "new"]) }).create(object));
    expect(value).toEqual(object);
    expect(sent.map(({ headers }) => headers["authorization"])).toEqual(["old", "new"]);
  });

  test("and not again: the second refusal is Unauthorized", async () => {
    const turns = [answer(401, statusOf("Unauthorized")), answer(401, statusOf("Unauthorized"))];
    const { error } = await outcome(clientWith(turns, { credentials: rotating(["a", "b", "c"]) }).get(key));
    expect(error).toMatchObject({ reason: "Unauthorized" });
    expect(String(error)).not.toMatch(/Bearer|\b[abc]\b/);
    expect(sent).toHaveLength(2);
  });

  test("a token that can't be had fails the call before anything is sent", async () => {
    const credentials = {
      authorization: () => Promise.reject(new Error("the plugin is missing")),
      refuse: () => false,
    };
    const { error } = await outcome(clientWith([answer(200)], { credentials }).get(key));
    expect(error).toMatchObject({ reason: "CredentialsUnavailable", next: "wait" });
    expect(String(error)).toContain("the plugin is missing");
    expect(sent).toHaveLength(0);
  });
});

describe("time", () => {
  test("every call has a deadline of 30 s, whatever the transport does with its signal", async () => {
    const { error, tookMs } = await outcome(clientWith(["hang"]).create(object));
    expect(error).toMatchObject({
      reason: "Timeout",
      isOutcomeUnknown: true,
      message: expect.stringContaining("30000 ms") as string,
    });
    expect(tookMs).toBe(30_000);
  });

  test("the deadline covers the body", async () => {
    const stuck: TransportResponse = {
      status: 200,
      headers: {},
      body: (async function* () {
        yield Buffer.from("{");
        await new Promise(() => {});
      })(),
    };
    const { error, tookMs } = await outcome(clientWith([stuck]).get(key, { deadlineMs: 700 }));
    expect(error).toMatchObject({ reason: "Timeout", isOutcomeUnknown: false });
    expect(tookMs).toBe(700);
  });

  test("a signal ends a call at once, with its own reason", async () => {
    const stop = new AbortController();
    const call = clientWith(["hang"]).get(key, { signal: stop.signal });
    stop.abort(new Error("shutting down"));
    expect((await outcome(call)).error).toEqual(new Error("shutting down"));
  });

  test("a watch that the server does not accept within 30 s times out; one that it accepted lasts", async () => {
    const watch = (turn: Turn, signal: AbortSignal): Promise<void> =>
      clientWith([turn]).watch({ signal }, () => undefined);
    expect((await outcome(watch("hang", new AbortController().signal))).error).toMatchObject({ reason: "Timeout" });
    const silent = {
      status: 200,
      headers: {},
      body: { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) },
    };
    const stop = new AbortController();
    const watching = watch(silent, stop.signal);
    await clock.advance(600_000);
    stop.abort(new Error("enough"));
    await expect(watching).rejects.toThrow("enough");
  });

  test("the rate limit lets a burst through, then so many per second; urgent ones pass the line", async () => {
    const configMaps = clientWith([answer(200)], { rateLimit: { perSecond: 10, burst: 2 } });
    const call = (name: string, isUrgent: boolean): Promise<unknown> =>
      configMaps.patch({ ...key, name }, "merge", {}, { isUrgent }).catch(() => undefined);
    const names = (): readonly string[] => sent.map(({ path }) => path.split("/").at(-1) ?? "");
    const calls = [...["a", "b", "c", "d"].map((name) => call(name, false)), call("urgent", true)];
    await clock.advance(99);
    expect(names()).toEqual(["a", "b"]);
    await clock.advance(1);
    expect(names()).toEqual(["a", "b", "urgent"]);
    await clock.advance(200);
    expect(names()).toEqual(["a", "b", "urgent", "c", "d"]);
    await Promise.all(calls);
  });

  test("one that waits for the rate limit past its deadline was not sent, and its outcome is known", async () => {
    const configMaps = clientWith([answer(200)], { rateLimit: { perSecond: 0.1, burst: 1 } });
    await configMaps.get(key);
    const { error } = await outcome(configMaps.create(object, { deadlineMs: 1_000 }));
    expect(error).toMatchObject({ reason: "Timeout", isOutcomeUnknown: false });
    expect(sent).toHaveLength(1);
  });
});

test("every exchange is told once, with verb, resource, status and duration", async () => {
  const turns = [answer(429, statusOf("TooManyRequests"), { "retry-after": "1" }), answer(200)];
  await outcome(clientWith(turns).get(key));
  await outcome(clientWith([refused]).get(key));
  expect(notes.map(({ verb, resource, status }) => [verb, resource, status])).toEqual([
    ["get", "configmaps", 429],
    ["get", "configmaps", 200],
    ["get", "configmaps", undefined],
  ]);
});
