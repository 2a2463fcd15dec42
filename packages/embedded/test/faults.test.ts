import { seededRandom, VirtualClock } from "@chaski/clock";
import { createEmbeddedCluster, type EmbeddedCluster } from "@chaski/embedded";
import { beforeEach, expect, test } from "vitest";
import { httpsTransport, Requests } from "@chaski/embedded/conformance";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
let clock: VirtualClock;
let cluster: EmbeddedCluster;
let api: Requests;

beforeEach(async () => {
  clock = new VirtualClock();
  cluster = await createEmbeddedCluster({ clock, random: seededRandom(1) });
  api = new Requests(cluster.transport);
});

const exists = async (name: string): Promise<boolean> => (await api.get(`${CONFIG_MAPS}/${name}`)).status === 200;

test("a refusal is answered as often as asked for, and writes nothing", async () => {
  cluster.faults.inject({
    on: { methods: ["POST"] },
    times: 1,
    effect: { kind: "status", code: 429, retryAfterSeconds: 3 },
  });
  expect(await api.post(CONFIG_MAPS, { metadata: { name: "a" } })).toMatchObject({
    status: 429,
    headers: { "retry-after": "3" },
  });
  expect(await exists("a")).toBe(false);
  expect((await api.post(CONFIG_MAPS, { metadata: { name: "a" } })).status).toBe(201);
});

test.each([
  { when: "before", isWritten: false },
  { when: "after", isWritten: true },
] as const)("a connection that breaks $when the write", async ({ when, isWritten }) => {
  cluster.faults.inject({ on: { methods: ["POST"] }, effect: { kind: "reset", when } });
  await expect(api.post(CONFIG_MAPS, { metadata: { name: "a" } })).rejects.toThrow("ECONNRESET");
  expect(await exists("a")).toBe(isWritten);
});

test("latency passes on the cluster's clock", async () => {
  cluster.faults.inject({ effect: { kind: "latency", minMs: 1_000, maxMs: 1_000 } });
  let isAnswered = false;
  const answer = api.get(CONFIG_MAPS).then(() => (isAnswered = true));
  await clock.advance(999);
  expect(isAnswered).toBe(false);
  await clock.advance(1);
  expect(await answer).toBe(true);
});

test("a list may be stale", async () => {
  await api.post(CONFIG_MAPS, { metadata: { name: "a" } });
  await clock.advance(10_000);
  await api.post(CONFIG_MAPS, { metadata: { name: "b" } });
  cluster.faults.inject({ effect: { kind: "stale-list", byMs: 5_000 } });
  const { body } = await api.get(CONFIG_MAPS);
  expect(body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(["a"]);
});

test("a watch is dropped after some events", async () => {
  for (const name of ["a", "b", "c"]) await api.post(CONFIG_MAPS, { metadata: { name } });
  cluster.faults.inject({ on: { watches: true }, effect: { kind: "drop-watch", afterEvents: 2 } });
  const seen: string[] = [];
  for await (const { object } of api.watch(`${CONFIG_MAPS}?watch=1`, new AbortController().signal))
    seen.push(`${object.metadata.name}`);
  expect(seen).toEqual(["a", "b"]);
});

test("after compaction a watch from before it gets 410", async () => {
  const { body } = await api.get(CONFIG_MAPS);
  await api.post(CONFIG_MAPS, { metadata: { name: "a" } });
  cluster.faults.compact();
  const watch = api.watch(
    `${CONFIG_MAPS}?watch=1&resourceVersion=${body.metadata.resourceVersion}`,
    new AbortController().signal,
  );
  expect((await watch.next()).value).toMatchObject({ type: "ERROR", object: { code: 410, reason: "Expired" } });
});

test("a partition ends watches and holds requests until it heals", async () => {
  cluster.faults.partition();
  const blocked = api.get(CONFIG_MAPS);
  cluster.faults.heal();
  await expect(blocked).rejects.toThrow("ECONNRESET");
  expect((await api.get(CONFIG_MAPS)).status).toBe(200);
});

test("faults meet clients over HTTPS too", async () => {
  const { url, ca, token } = await cluster.listen();
  const client = (): Requests => new Requests(httpsTransport(url, { ca, token }));
  cluster.faults.inject({
    on: { methods: ["POST"] },
    times: 1,
    effect: { kind: "status", code: 503 },
  });
  expect((await client().post(CONFIG_MAPS, { metadata: { name: "a" } })).status).toBe(503);
  cluster.faults.inject({ on: { methods: ["POST"] }, times: 1, effect: { kind: "reset", when: "after" } });
  await expect(client().post(CONFIG_MAPS, { metadata: { name: "a" } })).rejects.toThrow("socket hang up");
  expect(await exists("a")).toBe(true);
  const watch = client().watch(`${CONFIG_MAPS}?watch=1`, new AbortController().signal);
  expect((await watch.next()).value).toMatchObject({ type: "ADDED" });
  cluster.faults.dropWatches();
  expect(await watch.next()).toMatchObject({ done: true });
  await cluster.close();
});
