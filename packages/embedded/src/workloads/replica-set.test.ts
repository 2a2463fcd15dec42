import { describe, expect, test } from "vitest";
import { type EmbeddedWorkloads, startWorkloads } from "../../test/embedded-workloads.ts";

const LABELS = { app: "web" };
const POD_SPEC = { containers: [{ name: "web", image: "web:1" }] };

async function createReplicaSet({ stage, clock }: EmbeddedWorkloads, replicas: number): Promise<void> {
  const template = { metadata: { labels: LABELS }, spec: POD_SPEC };
  const { status } = await stage.requests.post(stage.path("replicasets"), {
    metadata: { name: "web" },
    spec: { replicas, selector: { matchLabels: LABELS }, template },
  });
  expect(status).toBe(201);
  await clock.settle();
}

async function createPod({ stage }: EmbeddedWorkloads, name: string, labels: object = LABELS): Promise<void> {
  await stage.requests.post(stage.path("pods"), { metadata: { name, labels }, spec: POD_SPEC });
}

const namesOf = async ({ stage }: EmbeddedWorkloads): Promise<string[]> =>
  (await stage.pods()).map(({ metadata }) => metadata.name);

describe("pods that nobody owns", () => {
  test("are adopted when they match, and made up to the wanted number", async () => {
    const cluster = await startWorkloads();
    await createPod(cluster, "stray");
    await createPod(cluster, "other", { app: "other" });
    await createReplicaSet(cluster, 2);
    const owned = (await cluster.stage.pods()).filter(({ metadata }) => metadata.ownerReferences);
    expect(owned.map(({ metadata }) => metadata.name)).toEqual(["stray", expect.stringMatching(/^web-[a-z0-9]{5}$/)]);
  });

  test("are deleted when they are too many", async () => {
    const cluster = await startWorkloads();
    await createReplicaSet(cluster, 1);
    await createPod(cluster, "stray");
    await cluster.clock.settle();
    expect(await cluster.stage.pods()).toHaveLength(1);
  });
});

test("a pod whose labels no longer match is let go, and replaced", async () => {
  const cluster = await startWorkloads();
  await createReplicaSet(cluster, 2);
  const [taken = ""] = await namesOf(cluster);
  await cluster.stage.requests.merge(cluster.stage.path("pods", taken), { metadata: { labels: { app: "debug" } } });
  await cluster.clock.settle();
  const pods = await cluster.stage.pods();
  expect(pods).toHaveLength(3);
  expect(pods.find(({ metadata }) => metadata.name === taken)?.metadata.ownerReferences).toBeUndefined();
});

test("a pod that failed stays, and another takes its place", async () => {
  const cluster = await startWorkloads();
  await createReplicaSet(cluster, 2);
  const [failed = ""] = await namesOf(cluster);
  await cluster.workloads.fail(({ metadata }) => metadata.name === failed);
  await cluster.clock.settle();
  const phases = (await cluster.stage.pods()).map(({ status }) => String(status?.phase)).toSorted();
  expect(phases).toEqual(["Failed", "Running", "Running"]);
  expect((await cluster.stage.replicaSets())[0]?.status).toMatchObject({ replicas: 2, readyReplicas: 2 });
});

describe("when it shrinks", () => {
  async function shrinkToOne({ stage, clock }: EmbeddedWorkloads): Promise<void> {
    await stage.requests.merge(stage.path("replicasets", "web"), { spec: { replicas: 1 } });
    await clock.settle();
  }

  test("pods that are not ready go first", async () => {
    const cluster = await startWorkloads();
    await createReplicaSet(cluster, 3);
    const [kept = "", ...others] = await namesOf(cluster);
    for (const name of others) cluster.workloads.setReady({ namespace: "default", name }, false);
    await cluster.clock.settle();
    await shrinkToOne(cluster);
    expect(await namesOf(cluster)).toEqual([kept]);
  });

  test("among ready pods the cheapest go first, then those that are ready for a shorter time", async () => {
    const cluster = await startWorkloads();
    await createReplicaSet(cluster, 1);
    const [oldest = ""] = await namesOf(cluster);
    await cluster.clock.advance(3_600_000);
    await cluster.stage.requests.merge(cluster.stage.path("replicasets", "web"), { spec: { replicas: 3 } });
    await cluster.clock.advance(10_000);
    const [precious = ""] = (await namesOf(cluster)).filter((name) => name !== oldest);
    const annotations = { "controller.kubernetes.io/pod-deletion-cost": "10" };
    await cluster.stage.requests.merge(cluster.stage.path("pods", precious), { metadata: { annotations } });
    await cluster.stage.requests.merge(cluster.stage.path("replicasets", "web"), { spec: { replicas: 2 } });
    await cluster.clock.settle();
    expect((await namesOf(cluster)).toSorted()).toEqual([oldest, precious].toSorted());
    await shrinkToOne(cluster);
    expect(await namesOf(cluster)).toEqual([precious]);
  });
});
