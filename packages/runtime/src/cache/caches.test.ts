import { seededRandom, VirtualClock } from "@chaski/clock";
import { defineKind, type KubeObject } from "@chaski/kube";
import { describe, expect, expectTypeOf, onTestFinished, test } from "vitest";
import { Thing, ThingApi } from "../../test/cache-api.ts";
import type { KindClient } from "../client/client.ts";
import type { ClusterCaches } from "./cache.ts";
import { createCaches } from "./caches.ts";
import type { CacheReport } from "./report.ts";

const Other = defineKind<KubeObject>({ group: "", version: "v1", kind: "Other", plural: "others", isNamespaced: true });

interface Setup {
  readonly caches: ClusterCaches;
  readonly api: ThingApi;
  readonly clock: VirtualClock;
  readonly start: () => Promise<void>;
}

function setup(report?: CacheReport): Setup {
  const api = new ThingApi();
  const clock = new VirtualClock(0);
  const caches = createCaches({
    client: { cluster: "test", of: () => api as unknown as KindClient<never> },
    clock,
    random: seededRandom(1),
    isFrozen: true,
    ...(report && { report }),
  });
  const stop = new AbortController();
  onTestFinished(async () => {
    stop.abort();
    await caches.stopped();
  });
  const start = async (): Promise<void> => {
    caches.start(stop.signal);
    await clock.settle();
  };
  return { caches, api, clock, start };
}

describe("Reflector: one shared watch per resource type and cluster", () => {
  test("two declarations of a kind share a watch and have the indices of both", async () => {
    const { caches, api, start } = setup();
    caches.declare(Thing, { indices: { byValue: ({ spec }) => [String(spec.value)] } });
    caches.declare(Thing, { indices: { byName: ({ metadata }) => [metadata.name] } });
    api.put("a", 1);
    await start();
    expect(caches.of(Thing).byIndex("byValue", "1")).toHaveLength(1);
    expect(caches.of(Thing).byIndex("byName", "a")).toHaveLength(1);
    expect(api.watches).toHaveLength(1);
  });

  test("another restriction is another watch, asked for by it", async () => {
    const { caches, api, start } = setup();
    caches.declare(Thing, { labelSelector: "app=shop", namespace: "a" });
    caches.declare(Thing, { fieldSelector: "metadata.name=x" });
    await start();
    expect(api.watches).toMatchObject([
      { labelSelector: "app=shop", namespace: "a" },
      { fieldSelector: "metadata.name=x" },
    ]);
    expect(caches.of(Thing, { labelSelector: "app=shop", namespace: "a" })).not.toBe(
      caches.of(Thing, { fieldSelector: "metadata.name=x" }),
    );
    expect(() => caches.of(Thing)).toThrow(
      "test.chaski.dev/v1 Thing in the caches of test is declared as namespace a, labels app=shop and fields metadata.name=x; say which",
    );
  });

  test.each([
    {
      what: "two transforms",
      options: { transform: (thing: Thing) => ({ ...thing }) },
      error: "Thing is declared with two transforms",
    },
    {
      what: "one index name for two functions",
      options: { indices: { byName: () => ["x"] } },
      error: "the index byName is declared with two functions",
    },
  ])("$what can't be shared", ({ options, error }) => {
    const { caches } = setup();
    caches.declare(Thing, { indices: { byName: ({ metadata }) => [metadata.name] } });
    expect(() => caches.declare(Thing, options)).toThrow(error);
  });
});

test("a kind that was not declared, or too late, is an error that names it", async () => {
  const { caches, start } = setup();
  caches.declare(Thing);
  expect(() => caches.of(Other)).toThrow("v1 Other in the caches of test was not declared");
  await start();
  expect(() => caches.declare(Other)).toThrow("Other was declared after the caches of test had started");
});

test("reads are typed by the kind", () => {
  const { caches } = setup();
  caches.declare(Thing);
  expectTypeOf(caches.of(Thing).get("a/b")).toEqualTypeOf<Readonly<Thing> | undefined>();
  expectTypeOf(caches.of(Thing).inNamespace("a").list()).toEqualTypeOf<readonly Readonly<Thing>[]>();
  caches.declare(Thing, {
    indices: {
      // @ts-expect-error an index function of Things is given Things
      bad: (pod: { readonly phase: string }) => [pod.phase],
    },
  });
});

describe("synced", () => {
  test("when every kind is; rejects when its signal aborts before", async () => {
    const { caches, api, clock, start } = setup();
    caches.declare(Thing);
    caches.declare(Other);
    api.failures = [new Error("ECONNREFUSED")];
    const aborted = new AbortController();
    const givenUp = caches.synced(aborted.signal);
    aborted.abort(new Error("given up"));
    await expect(givenUp).rejects.toThrow("given up");
    await start();
    const synced = caches.synced(new AbortController().signal);
    expect(caches.hasSynced).toBe(false);
    await clock.advance(2_000);
    await synced;
    expect(caches.hasSynced).toBe(true);
  });
});

test("a listener of reports that throws stops nothing", async () => {
  const { caches, api, clock, start } = setup(() => {
    throw new Error("broken listener");
  });
  caches.declare(Thing);
  api.failures = [new Error("ECONNREFUSED")];
  await start();
  await clock.advance(2_000);
  api.put("a", 1);
  await clock.settle();
  expect(caches.of(Thing).get("shop/a")?.spec.value).toBe(1);
});

test("reports name the cluster and the kind", async () => {
  const reported: string[] = [];
  const { caches, start } = setup(({ cluster, kind }, { type }) => reported.push(`${cluster} ${kind.kind} ${type}`));
  caches.declare(Thing);
  await start();
  expect(reported).toEqual(["test Thing heard", "test Thing heard", "test Thing listed"]);
});

test("after the stop no request is made and no timer is left", async () => {
  const { api, caches, clock } = setup();
  const stop = new AbortController();
  caches.declare(Thing, { resyncMs: 1_000 });
  caches.start(stop.signal);
  await clock.settle();
  stop.abort();
  await caches.stopped();
  const asked = api.asked.length;
  await clock.advance(3_600_000);
  expect(api.asked).toHaveLength(asked);
  expect(api.connections.size).toBe(0);
});
