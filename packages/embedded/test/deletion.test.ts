import { VirtualClock } from "@chaski/clock";
import { createEmbeddedCluster } from "@chaski/embedded";
import { beforeEach, describe, expect, test } from "vitest";
import { Requests } from "../conformance/requests.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const clock = new VirtualClock();
let api: Requests;

beforeEach(async () => {
  api = new Requests((await createEmbeddedCluster({ clock })).transport);
});

const ownedBy = (owner: { name: string; uid: string }, more: object = {}): object => ({
  ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", ...owner, ...more }],
});

async function createOwner(): Promise<{ name: string; uid: string }> {
  const { body } = await api.post(CONFIG_MAPS, { metadata: { name: "owner" } });
  return { name: "owner", uid: body.metadata.uid as string };
}

const names = async (): Promise<string[]> => {
  await clock.settle();
  const { body } = await api.get(CONFIG_MAPS);
  return body.items.map((item: { metadata: { name: string } }) => item.metadata.name);
};

describe("what an owner leaves behind when it is deleted", () => {
  test("in the background: nothing, down to the dependents' dependents", async () => {
    const owner = await createOwner();
    const child = await api.post(CONFIG_MAPS, { metadata: { name: "child", ...ownedBy(owner) } });
    await api.post(CONFIG_MAPS, {
      metadata: { name: "grandchild", ...ownedBy({ name: "child", uid: child.body.metadata.uid }) },
    });
    await api.delete(`${CONFIG_MAPS}/owner`, { propagationPolicy: "Background" });
    expect(await names()).toEqual([]);
  });

  test("as orphans: the dependents, without the reference", async () => {
    const owner = await createOwner();
    await api.post(CONFIG_MAPS, { metadata: { name: "child", ...ownedBy(owner) } });
    await api.delete(`${CONFIG_MAPS}/owner`, { propagationPolicy: "Orphan" });
    expect(await names()).toEqual(["child"]);
    expect((await api.get(`${CONFIG_MAPS}/child`)).body.metadata.ownerReferences).toBeUndefined();
  });

  test("in the foreground: itself, until a dependent that blocks is gone", async () => {
    const owner = await createOwner();
    const metadata = {
      name: "child",
      finalizers: ["example.com/hold"],
      ...ownedBy(owner, { blockOwnerDeletion: true }),
    };
    await api.post(CONFIG_MAPS, { metadata });
    await api.delete(`${CONFIG_MAPS}/owner`, { propagationPolicy: "Foreground" });
    expect(await names()).toEqual(["child", "owner"]);
    await api.merge(`${CONFIG_MAPS}/child`, { metadata: { finalizers: null } });
    expect(await names()).toEqual([]);
  });
});

test("an object whose owner never was is removed", async () => {
  await api.post(CONFIG_MAPS, { metadata: { name: "child", ...ownedBy({ name: "ghost", uid: "no-such-uid" }) } });
  expect(await names()).toEqual([]);
});

test("an object with one owner left stays, and forgets the other", async () => {
  const owner = await createOwner();
  const { ownerReferences } = ownedBy(owner) as { ownerReferences: object[] };
  const ghost = { apiVersion: "v1", kind: "ConfigMap", name: "ghost", uid: "no-such-uid" };
  await api.post(CONFIG_MAPS, { metadata: { name: "child", ownerReferences: [...ownerReferences, ghost] } });
  expect(await names()).toEqual(["child", "owner"]);
  expect((await api.get(`${CONFIG_MAPS}/child`)).body.metadata.ownerReferences).toHaveLength(1);
});

test("a deleted namespace refuses new objects, drains, and goes", async () => {
  await api.post("/api/v1/namespaces", { metadata: { name: "shop" } });
  const shop = "/api/v1/namespaces/shop/configmaps";
  await api.post(shop, { metadata: { name: "held", finalizers: ["example.com/hold"] } });
  await api.post(shop, { metadata: { name: "free" } });
  expect((await api.delete("/api/v1/namespaces/shop")).body.status.phase).toBe("Terminating");
  await clock.settle();
  expect(await api.post(shop, { metadata: { name: "late" } })).toMatchObject({
    status: 403,
    body: { details: { causes: [{ reason: "NamespaceTerminating" }] } },
  });
  expect((await api.get(shop)).body.items).toHaveLength(1);
  await api.merge(`${shop}/held`, { metadata: { finalizers: null } });
  await clock.settle();
  expect((await api.get("/api/v1/namespaces/shop")).status).toBe(404);
});
