import { findCondition, type Pod } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { type EmbeddedWorkloads, startWorkloads } from "../../test/embedded-workloads.ts";

const SECOND = 1_000;

async function onlyPod({ stage }: EmbeddedWorkloads): Promise<Pod> {
  const [pod] = await stage.pods();
  if (!pod) throw new Error("there is no pod");
  return pod;
}

function containerOf({ status }: Pod): object | undefined {
  return status?.containerStatuses?.[0];
}

function isReady({ status }: Pod): boolean {
  return findCondition(status?.conditions, "Ready")?.status === "True";
}

test("a running pod says what a kubelet would say", async () => {
  const cluster = await startWorkloads({ nodes: 1 });
  await cluster.stage.deploy();
  await cluster.clock.settle();
  const { spec, status } = await onlyPod(cluster);
  const at = "2026-01-01T00:00:00Z";
  expect(spec?.nodeName).toBe("node-1");
  expect(status).toMatchObject({
    phase: "Running",
    qosClass: "BestEffort",
    hostIP: "10.0.0.1",
    podIP: "10.64.0.1",
    podIPs: [{ ip: "10.64.0.1" }],
    startTime: at,
    containerStatuses: [
      {
        name: "web",
        image: "web:1",
        ready: true,
        started: true,
        restartCount: 0,
        state: { running: { startedAt: at } },
      },
    ],
  });
  expect(status?.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
    "PodReadyToStartContainers=True",
    "Initialized=True",
    "Ready=True",
    "ContainersReady=True",
    "PodScheduled=True",
  ]);
});

test("a pod that runs but is not ready names its containers", async () => {
  const cluster = await startWorkloads({ readyAfterMs: 10 * SECOND });
  await cluster.stage.deploy();
  await cluster.clock.advance(9 * SECOND);
  const { status } = await onlyPod(cluster);
  expect(status?.phase).toBe("Running");
  expect(findCondition(status?.conditions, "Ready")).toMatchObject({
    status: "False",
    reason: "ContainersNotReady",
    message: "containers with unready status: [web]",
  });
});

test("rules give single images and labels times of their own", async () => {
  const cluster = await startWorkloads({
    readyAfterMs: 1 * SECOND,
    rules: ({ spec }) => (spec?.containers[0]?.image === "slow:1" ? { readyAfterMs: 60 * SECOND } : undefined),
  });
  await cluster.stage.deploy({ name: "slow", image: "slow:1" });
  await cluster.stage.deploy({ name: "quick", image: "quick:1" });
  await cluster.clock.advance(2 * SECOND);
  const ready = (await cluster.stage.pods()).filter(isReady).map(({ spec }) => spec?.containers[0]?.image);
  expect(ready).toEqual(["quick:1"]);
});

describe("the caller decides", () => {
  test("a held pod becomes ready when it is released, not before", async () => {
    const cluster = await startWorkloads();
    const isEverything = (): boolean => true;
    cluster.workloads.hold(isEverything);
    await cluster.stage.deploy();
    await cluster.clock.advance(3_600 * SECOND);
    expect(isReady(await onlyPod(cluster))).toBe(false);
    cluster.workloads.release(isEverything);
    await cluster.clock.settle();
    expect(isReady(await onlyPod(cluster))).toBe(true);
  });

  test("a hold leaves ready pods alone", async () => {
    const cluster = await startWorkloads();
    await cluster.stage.deploy();
    await cluster.clock.settle();
    cluster.workloads.hold(() => true);
    await cluster.stage.scale(2);
    await cluster.clock.settle();
    expect((await cluster.stage.pods()).map(isReady).toSorted((a, b) => Number(a) - Number(b))).toEqual([false, true]);
  });

  test("a pod is ready or not as the caller says, until it says otherwise", async () => {
    const cluster = await startWorkloads();
    await cluster.stage.deploy();
    await cluster.clock.settle();
    const { metadata } = await onlyPod(cluster);
    for (const wanted of [false, true, false]) {
      cluster.workloads.setReady(metadata, wanted);
      await cluster.clock.advance(60 * SECOND);
      expect(isReady(await onlyPod(cluster))).toBe(wanted);
      expect((await cluster.stage.deployment()).status?.readyReplicas ?? 0).toBe(wanted ? 1 : 0);
    }
  });
});

describe("an image that can't be pulled", () => {
  test("keeps the pod pending until it can, which is tried less and less often", async () => {
    let isMissing = true;
    const cluster = await startWorkloads({ rules: () => ({ isImageMissing: isMissing }) });
    await cluster.stage.deploy();
    await cluster.clock.settle();
    const notFound = 'failed to pull and unpack image "web:1": failed to resolve reference "web:1": web:1: not found';
    expect(containerOf(await onlyPod(cluster))).toMatchObject({
      state: { waiting: { reason: "ErrImagePull", message: notFound } },
    });
    await cluster.clock.advance(5 * SECOND);
    const pod = await onlyPod(cluster);
    expect(pod.status?.phase).toBe("Pending");
    const message = `Back-off pulling image "web:1": ErrImagePull: ${notFound}`;
    expect(containerOf(pod)).toMatchObject({
      ready: false,
      state: { waiting: { reason: "ImagePullBackOff", message } },
    });
    isMissing = false;
    await cluster.clock.advance(4 * SECOND);
    expect(isReady(await onlyPod(cluster))).toBe(false);
    await cluster.clock.advance(1 * SECOND);
    expect(isReady(await onlyPod(cluster))).toBe(true);
  });
});

describe("a container that crashes", () => {
  test("is started again at once the first time, later and later after that", async () => {
    const cluster = await startWorkloads({ rules: () => ({ crashesAfterMs: 1 * SECOND, readyAfterMs: 500 }) });
    await cluster.stage.deploy();
    await cluster.clock.advance(500);
    expect(isReady(await onlyPod(cluster))).toBe(true);
    await cluster.clock.advance(500);
    expect(containerOf(await onlyPod(cluster))).toMatchObject({
      ready: false,
      restartCount: 1,
      state: { running: {} },
      lastState: { terminated: { exitCode: 1, reason: "Error" } },
    });
    await cluster.clock.advance(1 * SECOND);
    const looping = await onlyPod(cluster);
    expect(looping.status?.phase).toBe("Running");
    expect(containerOf(looping)).toMatchObject({ restartCount: 1, state: { waiting: { reason: "CrashLoopBackOff" } } });
    await cluster.clock.advance(10 * SECOND);
    expect(containerOf(await onlyPod(cluster))).toMatchObject({ restartCount: 2, state: { running: {} } });
    expect((await cluster.stage.events("BackOff"))[0]).toMatchObject({
      type: "Warning",
      involvedObject: { kind: "Pod" },
    });
  });

  test("may do so once because the caller wants it", async () => {
    const cluster = await startWorkloads();
    await cluster.stage.deploy();
    await cluster.clock.settle();
    cluster.workloads.crash(() => true);
    await cluster.clock.settle();
    expect(containerOf(await onlyPod(cluster))).toMatchObject({ ready: true, restartCount: 1 });
  });
});

test("a deleted pod carries its deletion until it has ended, within its grace period", async () => {
  const cluster = await startWorkloads({ rules: () => ({ endsAfterMs: 20 * SECOND }) });
  const { stage, clock } = cluster;
  const spec = { containers: [{ name: "web", image: "web:1" }], terminationGracePeriodSeconds: 5 };
  await stage.requests.post(stage.path("pods"), { metadata: { name: "lone" }, spec });
  await clock.settle();
  await stage.requests.delete(stage.path("pods", "lone"));
  await clock.advance(4 * SECOND);
  expect((await onlyPod(cluster)).metadata.deletionGracePeriodSeconds).toBe(5);
  await clock.advance(1 * SECOND);
  expect(await stage.pods()).toEqual([]);
});

describe("scheduling", () => {
  test("spreads pods over the nodes", async () => {
    const cluster = await startWorkloads({ nodes: 2 });
    await cluster.stage.deploy({ replicas: 4 });
    await cluster.clock.settle();
    const nodes = (await cluster.stage.pods()).map(({ spec }) => String(spec?.nodeName)).toSorted();
    expect(nodes).toEqual(["node-1", "node-1", "node-2", "node-2"]);
  });

  test("leaves a pod pending while no node has room, and says why", async () => {
    const cluster = await startWorkloads({ nodes: [{ name: "small", cpu: "1" }] });
    const { stage, clock } = cluster;
    await stage.deploy({ replicas: 3, cpu: "500m" });
    await clock.settle();
    const waiting = (await stage.pods()).filter(({ spec }) => spec?.nodeName === undefined);
    expect(waiting).toHaveLength(1);
    expect(waiting[0]?.status?.phase).toBe("Pending");
    expect(findCondition(waiting[0]?.status?.conditions, "PodScheduled")).toMatchObject({
      status: "False",
      reason: "Unschedulable",
      message: expect.stringContaining("0/1 nodes are available: 1 Insufficient cpu.") as string,
    });
    expect(await stage.events("FailedScheduling")).toHaveLength(1);
    await stage.scale(2);
    await clock.settle();
    expect((await stage.pods()).every(isReady)).toBe(true);
  });

  test("tries again when a pod goes", async () => {
    const cluster = await startWorkloads({ nodes: [{ name: "small", pods: 1 }] });
    const { stage, clock } = cluster;
    await stage.deploy({ name: "first" });
    await clock.settle();
    await stage.deploy({ name: "second" });
    await clock.settle();
    expect((await stage.pods()).filter(isReady)).toHaveLength(1);
    await stage.requests.delete(stage.path("deployments", "first"), { propagationPolicy: "Background" });
    await clock.settle();
    expect((await stage.pods()).map(isReady)).toEqual([true]);
  });

  test("a cordoned node gets no more pods", async () => {
    const cluster = await startWorkloads({ nodes: 2 });
    await cluster.stage.requests.merge("/api/v1/nodes/node-1", { spec: { unschedulable: true } });
    await cluster.stage.deploy({ replicas: 2 });
    await cluster.clock.settle();
    expect((await cluster.stage.pods()).map(({ spec }) => spec?.nodeName)).toEqual(["node-2", "node-2"]);
  });
});
