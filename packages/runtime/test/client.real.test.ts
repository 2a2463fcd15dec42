import { systemRandom } from "@chaski/clock";
import { ConfigMap, Deployment, defineKind, type KubeObject } from "@chaski/kube";
import {
  type Client,
  Conflict,
  createClient,
  Invalid,
  kubeconfigFromData,
  NotFound,
  undiciTransport,
} from "@chaski/runtime";
import { until } from "@chaski/test/kube";
import { beforeAll, describe, expect, test } from "vitest";
import { clock, type RealSite, useRealSite } from "./real-site.ts";

const real = useRealSite();
let site: RealSite;
let client: Client;
let namespace: string;

beforeAll(async () => {
  site = real.current;
  namespace = site.namespace;
  client = await site.client();
});

describe("objects", () => {
  test("are created, read, listed in pages, updated and deleted", async () => {
    const configMaps = client.of(ConfigMap);
    const created = await configMaps.create(site.configMap("life", { a: "1" }));
    expect(await configMaps.get({ namespace, name: "life" })).toEqual(created);
    const updated = await configMaps.update({ ...created, data: { a: "2" } });
    expect(updated.data).toEqual({ a: "2" });
    for (const name of ["page-1", "page-2", "page-3"]) await configMaps.create(site.configMap(name));
    const sizes: number[] = [];
    const kinds = new Set<string>();
    for await (const page of configMaps.pages({
      namespace,
      limit: 2,
      fieldSelector: "metadata.name!=kube-root-ca.crt",
    })) {
      sizes.push(page.items.length);
      for (const item of page.items) kinds.add(`${item.apiVersion} ${item.kind}`);
    }
    expect(sizes).toEqual([2, 2]);
    expect([...kinds]).toEqual(["v1 ConfigMap"]);
    await configMaps.delete({ namespace, name: "life" });
    await expect(configMaps.get({ namespace, name: "life" })).rejects.toMatchObject({
      reason: "NotFound",
      isKindMissing: false,
      message: expect.stringContaining("get ConfigMap") as string,
    });
  });

  test("a delete with another uid is refused", async () => {
    await client.of(ConfigMap).create(site.configMap("guarded"));
    const key = { namespace, name: "guarded" };
    const preconditions = { uid: "00000000-0000-0000-0000-000000000000" };
    await expect(client.of(ConfigMap).delete(key, { preconditions })).rejects.toBeInstanceOf(Conflict);
    await client.of(ConfigMap).get(key);
  });

  test("unknown fields survive read-modify-write", async () => {
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions`;
    const kind = defineKind<KubeObject & { readonly spec: object }>({
      group: "client.test",
      version: "v1",
      kind: "Loose",
      plural: "looses",
      isNamespaced: true,
    });
    const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    await client.raw({
      method: "POST",
      path,
      body: JSON.stringify({
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: "looses.client.test" },
        spec: {
          group: "client.test",
          scope: "Namespaced",
          names: { plural: "looses", kind: "Loose" },
          versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
        },
      }),
    });
    await until(async () => (await client.serves(kind)) || undefined, { what: "the kind is served" });
    const spec = { brandNewField: { deep: [1, "two", null, 9007199254740991] } };
    const created = await until(
      () =>
        client
          .of(kind)
          .create({ apiVersion: "client.test/v1", kind: "Loose", metadata: { namespace, name: "one" }, spec })
          .catch(() => undefined),
      { what: "the object is accepted" },
    );
    const changed = { ...created, metadata: { ...created.metadata, labels: { touched: "yes" } } };
    await client.of(kind).update(changed);
    expect((await client.of(kind).get({ namespace, name: "one" })).spec).toEqual(spec);
    await client.raw({ method: "DELETE", path: `${path}/looses.client.test` });
  });

  test("an unserved kind is NotFound of the kind", async () => {
    const kind = defineKind({ group: "nobody.test", version: "v1", kind: "No", plural: "noes", isNamespaced: true });
    await expect(client.of(kind).list()).rejects.toMatchObject({ reason: "NotFound", isKindMissing: true });
    await expect(client.of(kind).list()).rejects.toBeInstanceOf(NotFound);
    expect(await client.serves(kind)).toBe(false);
    expect(await client.serves(Deployment)).toBe(true);
  });
});

describe("patches", () => {
  const name = "patched";
  beforeAll(async () => void (await client.of(Deployment).create(site.deployment(name))));

  test("JSON", async () => {
    const patch = [{ op: "replace", path: "/spec/replicas", value: 5 }];
    const { spec } = await client.of(Deployment).patch({ namespace, name }, "json", patch);
    expect(spec?.replicas).toBe(5);
  });

  test("merge replaces lists", async () => {
    const patch = { metadata: { annotations: { merged: "yes" } } };
    const { metadata } = await client.of(Deployment).patch({ namespace, name }, "merge", patch);
    expect(metadata.annotations).toMatchObject({ merged: "yes" });
  });

  test("strategic merges lists by their key", async () => {
    const patch = { spec: { template: { spec: { containers: [{ name: "side", image: "side:1" }] } } } };
    const { spec } = await client.of(Deployment).patch({ namespace, name }, "strategic", patch);
    expect(spec?.template.spec?.containers.map((each) => each.name).toSorted()).toEqual(["side", "web"]);
  });

  test("apply owns what it sets, and conflicts unless forced", async () => {
    const object = { ...site.configMap("applied", { a: "1" }) };
    await client.of(ConfigMap).apply(object, { fieldManager: "first" });
    const other = { ...object, data: { a: "2" } };
    await expect(client.of(ConfigMap).apply(other, { fieldManager: "second" })).rejects.toBeInstanceOf(Conflict);
    const forced = await client.of(ConfigMap).apply(other, { fieldManager: "second", force: true });
    expect(forced.data).toEqual({ a: "2" });
    expect(forced.metadata.managedFields?.map(({ manager }) => manager)).toContain("second");
  });

  test("status is written through its subresource alone", async () => {
    const patch = { status: { observedGeneration: 7 } };
    const key = { namespace, name };
    await client.of(Deployment).patch(key, "merge", patch);
    expect((await client.of(Deployment).get(key)).status?.observedGeneration).not.toBe(7);
    await client.of(Deployment).patch(key, "merge", patch, { subresource: "status" });
    const live = await client.of(Deployment).get(key);
    expect(live.status?.observedGeneration).toBe(7);
    const updated = await client.of(Deployment).updateStatus({ ...live, status: { observedGeneration: 8 } });
    expect(updated.status?.observedGeneration).toBe(8);
  });

  test("scale is read and written, and refused on an old resourceVersion", async () => {
    const scale = await client.of(Deployment).getScale({ namespace, name });
    const scaled = await client.of(Deployment).updateScale({ ...scale, spec: { replicas: 9 } });
    expect(scaled.spec.replicas).toBe(9);
    expect((await client.of(Deployment).get({ namespace, name })).spec?.replicas).toBe(9);
    await expect(client.of(Deployment).updateScale({ ...scale, spec: { replicas: 1 } })).rejects.toBeInstanceOf(
      Conflict,
    );
  });

  test("a dry run answers and changes nothing", async () => {
    const dry = await client.of(ConfigMap).create(site.configMap("dry"), { dryRun: true });
    expect(dry.metadata.uid).toBeDefined();
    await expect(client.of(ConfigMap).get({ namespace, name: "dry" })).rejects.toBeInstanceOf(NotFound);
  });

  test("strict validation refuses an unknown field, by name", async () => {
    const odd = { ...site.deployment("odd"), spec: { ...site.deployment("odd").spec, replicass: 3 } } as Deployment;
    await expect(client.of(Deployment).create(odd, { fieldValidation: "Strict" })).rejects.toMatchObject({
      reason: "BadRequest",
      message: expect.stringContaining("replicass") as string,
    });
  });

  test("an invalid object is Invalid, with its causes", async () => {
    const wrong = {
      ...site.deployment("wrong"),
      spec: { ...site.deployment("wrong").spec, replicas: -1 },
    } as Deployment;
    const error = await client
      .of(Deployment)
      .create(wrong)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Invalid);
    expect((error as Invalid).causes).toEqual([expect.objectContaining({ field: "spec.replicas" })]);
    expect((error as Invalid).next).toBe("stall");
  });
});

test("a conflict storm: one of many writers on one version wins each round, and none is lost", async () => {
  const configMaps = client.of(ConfigMap);
  await configMaps.create(site.configMap("storm", { count: "0" }));
  let conflicts = 0;
  const increment = async (): Promise<void> => {
    for (;;) {
      const live = await configMaps.get({ namespace, name: "storm" });
      try {
        await configMaps.update({ ...live, data: { count: String(Number(live.data?.["count"]) + 1) } });
        return;
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        conflicts += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: 20 }, increment));
  expect((await configMaps.get({ namespace, name: "storm" })).data).toEqual({ count: "20" });
  expect(conflicts).toBeGreaterThan(0);
});

describe("discovery", () => {
  test("lists what is served, with verbs, scope and subresources; the old way gives the same", async () => {
    const served = await client.discover();
    expect(served.find(({ group, plural }) => group === "apps" && plural === "deployments")).toMatchObject({
      version: "v1",
      kind: "Deployment",
      isNamespaced: true,
      verbs: expect.arrayContaining(["get", "list", "watch", "patch"]) as string[],
      subresources: expect.arrayContaining(["scale", "status"]) as string[],
    });
    const connection = await kubeconfigFromData(Buffer.from(site.plane.admin.kubeconfig), "admin").connection();
    const transport = undiciTransport(connection.endpoint);
    const old = site.closing(
      createClient({
        cluster: "old",
        clock,
        random: systemRandom,
        transport: {
          send: (request) =>
            transport.send({ ...request, headers: { ...request.headers, accept: "application/json" } }),
          close: () => transport.close(),
        },
      }),
    );

    const byName = (all: typeof served) =>
      all
        .map((each) => ({ ...each, verbs: each.verbs.toSorted(), subresources: each.subresources.toSorted() }))
        .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
    expect(byName(await old.discover())).toEqual(byName(served));
  });
});
