import { seededRandom } from "@chaski/clock";
import { ConfigMap, defineKind, type Kind, type KubeObject } from "@chaski/kube";
import { type ClusterAccess, CuttableProxy, until } from "@chaski/test/kube";
import { useControlPlane } from "@chaski/test/kube/vitest";
import { describe, expect, test } from "vitest";
import { Forbidden, type KindClient } from "../src/index.ts";
import { clientOf, clock, realCache } from "./real-cache.ts";
import { states } from "./story.ts";

const plane = useControlPlane({ name: "cache" });

const FAST = { backoff: { firstMs: 5, mostMs: 50 }, pollMs: 100 };

interface Widget extends KubeObject {
  readonly spec?: { readonly parts: readonly string[] };
}

/** A kind of its own for each test: a definition takes its time to go. */
function widgetKind(kind: string): Kind<Widget> {
  const plural = `${kind.toLowerCase()}s`;
  return defineKind({ group: "test.chaski.dev", version: "v1", kind, plural, isNamespaced: true });
}

/** What the server has, asked directly. */
async function onServer<T extends KubeObject>(client: KindClient<T>, namespace: string): Promise<readonly string[]> {
  const objects: T[] = [];
  for await (const page of client.pages({ namespace })) objects.push(...page.items);
  return states(objects);
}

function configMap(namespace: string, name: string, value: string): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name }, data: { value } };
}

/** Writes, changes and deletes a few objects without end, whatever the server answers. */
function churn(client: KindClient<ConfigMap>, namespace: string, pauseMs: number) {
  const random = seededRandom(7);
  const stop = new AbortController();
  let writes = 0;
  const write = async (): Promise<void> => {
    const name = `c${Math.floor(random() * 20)}`;
    const call =
      random() < 0.2
        ? client.delete({ namespace, name })
        : client.apply(configMap(namespace, name, String(writes)), { fieldManager: "churn", force: true });
    await call.then(
      () => writes++,
      () => undefined,
    );
  };
  const done = (async () => {
    while (!stop.signal.aborted) {
      await write();
      await clock.sleep(pauseMs);
    }
  })();
  return {
    get writes() {
      return writes;
    },
    stop: async () => {
      stop.abort();
      await done;
    },
  };
}

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

async function define(cluster: ClusterAccess, { group, kind, plural, version: name }: Kind): Promise<void> {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const body = {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural },
      versions: [{ name, served: true, storage: true, schema }],
    },
  };
  const isTaken = (): Promise<true | undefined> =>
    cluster.call({ method: "POST", path: DEFINITIONS, body }).then(
      () => true as const,
      () => undefined,
    );
  await until(isTaken, { what: `${kind} is defined` });
  const isServed = (): Promise<object | undefined> =>
    cluster.call({ path: `/apis/${group}/${name}/${plural}` }).catch(() => undefined);
  await until(isServed, { what: `${kind} is served` });
}

async function undefine(cluster: ClusterAccess, { group, plural }: Kind): Promise<void> {
  await cluster.call({ method: "DELETE", path: `${DEFINITIONS}/${plural}.${group}` });
}

test("a watch dropped mid-stream at random bytes 1,000 times: no missed and no repeated final state, no relist", async () => {
  const namespace = await plane.current.createNamespace();
  await using proxy = await CuttableProxy.start(plane.current.server);
  await using watched = await realCache({
    kind: ConfigMap,
    namespace,
    user: plane.current.admin.through(proxy.url),
    timings: { backoff: { firstMs: 1, mostMs: 5 } },
  });
  await watched.synced();
  const direct = (await clientOf(plane.current.admin)).of(ConfigMap);
  const load = churn(direct, namespace, 1);
  proxy.cutAfter(12_000);
  await until(() => proxy.cuts >= 1_000 || undefined, { what: "1,000 cuts", withinMs: 240_000 });
  await load.stop();
  await proxy.resume();
  const expected = await onServer(direct, namespace);
  await until(() => String(states(watched.cache.list())) === String(expected) || undefined, {
    what: "the cache is as the server",
  });
  expect(states(watched.story.believed.values())).toEqual(expected);
  expect(watched.story.contradictions).toEqual([]);
  expect(watched.facts("listed")).toHaveLength(1);
  expect(load.writes).toBeGreaterThan(500);
}, 300_000);

test("410 in the middle, after a compaction: relisted with synthesised deletes, never empty in between", async () => {
  const namespace = await plane.current.createNamespace();
  const direct = (await clientOf(plane.current.admin)).of(ConfigMap);
  await direct.create(configMap(namespace, "stays", "1"));
  await direct.create(configMap(namespace, "changes", "1"));
  await direct.create(configMap(namespace, "vanishes", "1"));
  await using proxy = await CuttableProxy.start(plane.current.server);
  await using watched = await realCache({
    kind: ConfigMap,
    namespace,
    user: plane.current.admin.through(proxy.url),
    timings: FAST,
  });
  await watched.synced();
  const told: string[] = [];
  let fewest = Infinity;
  watched.cache.subscribe((event) => {
    fewest = Math.min(fewest, watched.cache.list().length);
    if (event.type === "deleted") told.push(`${event.object.metadata.name}, known: ${event.isFinalStateKnown}`);
  });
  await proxy.refuse();
  await direct.delete({ namespace, name: "vanishes" });
  await direct.apply(configMap(namespace, "changes", "2"), { fieldManager: "test", force: true });
  await plane.current.compact();
  await plane.current.restart("kube-apiserver");
  await proxy.resume();
  await until(() => watched.facts("listed").length === 2 || undefined, { what: "a relist" });
  expect(states(watched.cache.list())).toEqual(await onServer(direct, namespace));
  expect(told).toEqual(["vanishes, known: false"]);
  expect(fewest).toBeGreaterThanOrEqual(2);
  expect(watched.story.contradictions).toEqual([]);
});

test("the API server killed with SIGKILL and restarted under load", async () => {
  const namespace = await plane.current.createNamespace();
  await using watched = await realCache({ kind: ConfigMap, namespace, user: plane.current.admin, timings: FAST });
  await watched.synced();
  const direct = (await clientOf(plane.current.admin)).of(ConfigMap);
  const load = churn(direct, namespace, 2);
  for (let round = 0; round < 3; round++) {
    const before = load.writes;
    await until(() => load.writes > before + 50 || undefined, { what: "50 writes" });
    await plane.current.kill("kube-apiserver");
    await plane.current.restart("kube-apiserver");
  }
  const before = load.writes;
  await until(() => load.writes > before + 50 || undefined, { what: "50 writes" });
  await load.stop();
  const expected = await onServer(direct, namespace);
  await until(() => String(states(watched.cache.list())) === String(expected) || undefined, {
    what: "the cache is as the server",
  });
  expect(states(watched.story.believed.values())).toEqual(expected);
  expect(watched.story.contradictions).toEqual([]);
});

test("a black-holed connection is noticed and recovered from without relisting", async () => {
  const namespace = await plane.current.createNamespace();
  await using proxy = await CuttableProxy.start(plane.current.server);
  await using watched = await realCache({
    kind: ConfigMap,
    namespace,
    user: plane.current.admin.through(proxy.url),
    timings: { silenceMs: 2_000 },
  });
  await watched.synced();
  proxy.blackHole();
  await proxy.resume();
  const direct = (await clientOf(plane.current.admin)).of(ConfigMap);
  await direct.create(configMap(namespace, "late", "1"));
  await until(() => watched.cache.get(`${namespace}/late`), { what: "the cache recovers", withinMs: 5_000 });
  expect(watched.facts("listed")).toHaveLength(1);
  expect(watched.facts("restarted")[0]).toEqual({ type: "restarted", because: "silent" });
});

test("read your writes: after each of 100 writes the cache shows it", async () => {
  const namespace = await plane.current.createNamespace();
  await using watched = await realCache({ kind: ConfigMap, namespace, user: plane.current.admin });
  await watched.synced();
  const direct = watched.client.of(ConfigMap);
  const key = { namespace, name: "mine" };
  const signal = new AbortController().signal;
  for (let round = 0; round < 100; round++) {
    const { metadata } = await direct.apply(configMap(namespace, "mine", String(round)), { fieldManager: "test" });
    watched.caches.wrote(ConfigMap, key, { type: "answered", resourceVersion: metadata.resourceVersion ?? "" });
    await watched.cache.caughtUp(key, signal);
    expect(watched.cache.get(`${namespace}/mine`)?.data).toEqual({ value: String(round) });
  }
  const uid = watched.cache.get(`${namespace}/mine`)?.metadata.uid ?? "";
  await direct.delete(key);
  watched.caches.wrote(ConfigMap, key, { type: "deleted", uid });
  await watched.cache.caughtUp(key, signal);
  expect(watched.cache.get(`${namespace}/mine`)).toBeUndefined();
  expect(watched.facts("listed")).toHaveLength(1);
});

describe("a custom kind", () => {
  test("whose definition appears later is waited for; when it goes and comes back, so do its objects", async () => {
    const Gadget = widgetKind("Gadget");
    const namespace = await plane.current.createNamespace();
    await using watched = await realCache({ kind: Gadget, namespace, user: plane.current.admin, timings: FAST });
    await watched.synced();
    expect(watched.cache.isServed).toBe(false);
    await define(plane.current, Gadget);
    await until(() => watched.cache.hasSynced || undefined, { what: "the cache starts by itself" });
    const gadgets = watched.client.of(Gadget);
    const gadget = { apiVersion: "test.chaski.dev/v1", kind: "Gadget", metadata: { namespace, name: "g" } };
    await gadgets.create(gadget);
    await until(() => watched.cache.get(`${namespace}/g`), { what: "the object is cached" });
    await undefine(plane.current, Gadget);
    await until(() => (!watched.cache.isServed && watched.cache.list().length === 0) || undefined, {
      what: "the kind is gone",
    });
    await define(plane.current, Gadget);
    await gadgets.create(gadget);
    await until(() => watched.cache.get(`${namespace}/g`), { what: "the object is cached again" });
    expect(watched.story.contradictions).toEqual([]);
  });

  test("is served moments after its definition, long before it would be asked for again", async () => {
    const Gizmo = widgetKind("Gizmo");
    const user = plane.current.admin;
    await using watched = await realCache({ kind: Gizmo, user, timings: { pollMs: 600_000, pollDefinedMs: 600_000 } });
    await watched.synced();
    await define(plane.current, Gizmo);
    await until(() => watched.cache.hasSynced || undefined, { what: "the cache starts by itself", withinMs: 10_000 });
  });

  test("unknown fields survive; an object that a transform chokes on is skipped and named", async () => {
    const Widget = widgetKind("Widget");
    await define(plane.current, Widget);
    const namespace = await plane.current.createNamespace();
    const path = `/apis/test.chaski.dev/v1/namespaces/${namespace}/widgets`;
    const types = { apiVersion: "test.chaski.dev/v1", kind: "Widget" };
    const create = (name: string, fields: object): Promise<unknown> =>
      plane.current.call({ method: "POST", path, body: { ...types, metadata: { name }, ...fields } });
    await create("good", { spec: { parts: ["a"] }, brandNew: { deep: [1, { x: null }] } });
    await create("bad", { spec: "not even an object" });
    await create("worse", { spec: { parts: 3 } });
    await using watched = await realCache({
      kind: Widget,
      namespace,
      user: plane.current.admin,
      transform: (widget) => ({ ...widget, count: widget.spec?.parts.map((part) => part.length) }),
    });
    await watched.synced();
    expect(watched.cache.list()).toMatchObject([
      { ...types, metadata: { name: "good" }, brandNew: { deep: [1, { x: null }] }, count: [1] },
    ]);
    expect(watched.facts("malformed object").map(({ error }) => error.message.split(":")[0])).toEqual([
      `Widget ${namespace}/bad can't be cached`,
      `Widget ${namespace}/worse can't be cached`,
    ]);
  });
});

test("who may not watch is told so again and again, by an error that names user and verb, until allowed", async () => {
  const namespace = await plane.current.createNamespace();
  const user = await plane.current.addUser("cache-reader");
  await using watched = await realCache({ kind: ConfigMap, namespace, user, timings: FAST });
  await until(() => watched.facts("failed").length > 3 || undefined, { what: "reported again and again" });
  const error = watched.facts("failed")[0]?.error;
  expect(error).toBeInstanceOf(Forbidden);
  expect((error as Forbidden).message).toMatch(/watch configmaps.*cache-reader/);
  await plane.current.allow(user, [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list", "watch"] }]);
  await watched.synced();
});
