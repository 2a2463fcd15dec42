import { VirtualClock } from "@chaski/clock";
import { createEmbeddedCluster } from "@chaski/embedded";
import { beforeEach, expect, test } from "vitest";
import { Requests } from "../conformance/requests.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const clock = new VirtualClock();
let api: Requests;

beforeEach(async () => {
  api = new Requests((await createEmbeddedCluster({ clock })).transport);
});

test("an object is created, read, updated and deleted", async () => {
  const created = await api.post(CONFIG_MAPS, { metadata: { name: "a" }, data: { key: "1" } });
  expect(created).toMatchObject({ status: 201, body: { kind: "ConfigMap", metadata: { namespace: "default" } } });
  const updated = await api.put(`${CONFIG_MAPS}/a`, { ...created.body, data: { key: "2" } });
  expect(updated.status).toBe(200);
  expect(Number(updated.body.metadata.resourceVersion)).toBeGreaterThan(Number(created.body.metadata.resourceVersion));
  expect((await api.get(`${CONFIG_MAPS}/a`)).body.data).toEqual({ key: "2" });
  expect((await api.delete(`${CONFIG_MAPS}/a`)).body).toMatchObject({ kind: "Status", status: "Success" });
  expect(await api.get(`${CONFIG_MAPS}/a`)).toMatchObject({
    status: 404,
    body: { reason: "NotFound", message: 'configmaps "a" not found' },
  });
});

test("an update on an outdated resourceVersion is refused", async () => {
  const { body } = await api.post(CONFIG_MAPS, { metadata: { name: "a" } });
  await api.merge(`${CONFIG_MAPS}/a`, { data: { key: "1" } });
  expect(await api.put(`${CONFIG_MAPS}/a`, body)).toMatchObject({ status: 409, body: { reason: "Conflict" } });
});

test("an update that changes nothing keeps the resourceVersion", async () => {
  const { body } = await api.post(CONFIG_MAPS, { metadata: { name: "a" }, data: { key: "1" } });
  const again = await api.put(`${CONFIG_MAPS}/a`, body);
  expect(again.body.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
});

test("a page goes on in the state that its first page was read in", async () => {
  for (const name of ["a", "b", "c"]) await api.post(CONFIG_MAPS, { metadata: { name } });
  const first = await api.get(`${CONFIG_MAPS}?limit=2`);
  await api.delete(`${CONFIG_MAPS}/c`);
  const second = await api.get(`${CONFIG_MAPS}?limit=2&continue=${first.body.metadata.continue}`);
  const names = [...first.body.items, ...second.body.items].map((item) => item.metadata.name as string);
  expect(names).toEqual(["a", "b", "c"]);
  expect(first.body.metadata.remainingItemCount).toBe(1);
});

test("a watch tells what happened after a resourceVersion, in order, by selector", async () => {
  const { body } = await api.get(CONFIG_MAPS);
  await api.post(CONFIG_MAPS, { metadata: { name: "a", labels: { app: "x" } } });
  await api.post(CONFIG_MAPS, { metadata: { name: "b" } });
  await api.merge(`${CONFIG_MAPS}/a`, { data: { key: "1" } });
  await api.merge(`${CONFIG_MAPS}/a`, { metadata: { labels: null } });
  const stop = new AbortController();
  const query = `watch=1&labelSelector=app%3Dx&resourceVersion=${body.metadata.resourceVersion}`;
  const seen: string[] = [];
  for await (const event of api.watch(`${CONFIG_MAPS}?${query}`, stop.signal)) {
    seen.push(`${event.type} ${event.object.metadata.name}`);
    if (seen.length === 3) stop.abort();
  }
  expect(seen).toEqual(["ADDED a", "MODIFIED a", "DELETED a"]);
});

test("a watch that asks for initial events gets them, then a bookmark that ends them", async () => {
  await api.post(CONFIG_MAPS, { metadata: { name: "a" } });
  const stop = new AbortController();
  const query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  const seen: unknown[] = [];
  for await (const { type, object } of api.watch(`${CONFIG_MAPS}?${query}`, stop.signal)) {
    seen.push([type, object.metadata.annotations]);
    if (type === "BOOKMARK") stop.abort();
  }
  expect(seen).toEqual([
    ["ADDED", undefined],
    ["BOOKMARK", { "k8s.io/initial-events-end": "true" }],
  ]);
});

test("an object with a finalizer goes when the last finalizer does", async () => {
  await api.post(CONFIG_MAPS, { metadata: { name: "a", finalizers: ["example.com/hold"] } });
  const deleted = await api.delete(`${CONFIG_MAPS}/a`);
  expect(deleted.body.metadata.deletionTimestamp).toBe(new Date(clock.now()).toISOString().replace(".000Z", "Z"));
  await api.merge(`${CONFIG_MAPS}/a`, { metadata: { finalizers: null } });
  expect((await api.get(`${CONFIG_MAPS}/a`)).status).toBe(404);
});

test("nothing is created in a namespace that is not there", async () => {
  expect(await api.post("/api/v1/namespaces/absent/configmaps", { metadata: { name: "a" } })).toMatchObject({
    status: 404,
    body: { message: 'namespaces "absent" not found' },
  });
});

test("a key named __proto__ is data", async () => {
  const body = '{"metadata":{"name":"a"},"data":{"__proto__":"x"}}';
  const created = await api.post(CONFIG_MAPS, body);
  expect(Object.hasOwn(created.body.data as object, "__proto__")).toBe(true);
});
