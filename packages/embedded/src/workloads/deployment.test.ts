import type { Deployment } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { startWorkloads } from "../../test/embedded-workloads.ts";

function countsOf({ status = {} }: Deployment): object {
  const { conditions: _conditions, ...counts } = status;
  return counts;
}

const SECOND = 1_000;

test("a Deployment gets a ReplicaSet and pods, which become ready after the configured time", async () => {
  const { clock, stage } = await startWorkloads({ readyAfterMs: 5 * SECOND });
  await stage.deploy({ replicas: 3 });
  await clock.advance(4_999);
  expect(countsOf(await stage.deployment())).toEqual({
    observedGeneration: 1,
    replicas: 3,
    updatedReplicas: 3,
    unavailableReplicas: 3,
    terminatingReplicas: 0,
  });
  expect(await stage.conditions()).toEqual([
    "Available=False MinimumReplicasUnavailable",
    "Progressing=True ReplicaSetUpdated",
  ]);
  await clock.advance(1);
  expect(countsOf(await stage.deployment())).toEqual({
    observedGeneration: 1,
    replicas: 3,
    updatedReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    terminatingReplicas: 0,
  });
  expect(await stage.conditions()).toEqual([
    "Available=True MinimumReplicasAvailable",
    "Progressing=True NewReplicaSetAvailable",
  ]);
});

test("its writes are the controller manager's, and nobody's twice", async () => {
  const { clock, stage } = await startWorkloads();
  await stage.deploy({ replicas: 2 });
  await clock.settle();
  const settled = await stage.deployment();
  expect(settled.metadata.managedFields?.map(({ manager, subresource }) => [manager, subresource])).toContainEqual([
    "kube-controller-manager",
    "status",
  ]);
  await clock.advance(3_600 * SECOND);
  expect((await stage.deployment()).metadata.resourceVersion).toBe(settled.metadata.resourceVersion);
});

test("deleting it takes its ReplicaSets and pods along", async () => {
  const { clock, stage } = await startWorkloads();
  await stage.deploy({ replicas: 3 });
  await clock.settle();
  await stage.requests.delete(stage.path("deployments", "web"), { propagationPolicy: "Background" });
  await clock.settle();
  expect(await stage.replicaSets()).toEqual([]);
  expect(await stage.pods()).toEqual([]);
});

describe("a rolling update", () => {
  test.each([
    { replicas: 4, maxSurge: "25%", maxUnavailable: "25%", first: ["web:1=3", "web:2=2"] },
    { replicas: 10, maxSurge: "25%", maxUnavailable: "25%", first: ["web:1=8", "web:2=5"] },
    { replicas: 3, maxSurge: 1, maxUnavailable: 0, first: ["web:1=3", "web:2=1"] },
    { replicas: 3, maxSurge: 0, maxUnavailable: 1, first: ["web:1=2", "web:2=1"] },
    { replicas: 1, maxSurge: "0%", maxUnavailable: "25%", first: ["web:2=1"] },
  ])("of $replicas with surge $maxSurge and unavailable $maxUnavailable starts with $first", async (bounds) => {
    const { replicas, maxSurge, maxUnavailable, first } = bounds;
    const { clock, stage, workloads } = await startWorkloads();
    const strategy = { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } };
    await stage.deploy({ replicas, spec: { strategy } });
    await clock.settle();
    const isNew = stage.hasImage("web:2");
    workloads.hold(isNew);
    await stage.setImage("web:2");
    await clock.settle();
    expect(await stage.sizes()).toEqual(first);
    workloads.release(isNew);
    await clock.settle();
    expect(await stage.sizes()).toEqual([`web:2=${replicas}`]);
    expect(await stage.pods("web:1")).toEqual([]);
  });

  test("numbers its templates, and goes back to an earlier one under a new number", async () => {
    const { clock, stage } = await startWorkloads();
    await stage.deploy({ replicas: 1 });
    await clock.settle();
    for (const image of ["web:2", "web:1"]) {
      await stage.setImage(image);
      await clock.settle();
    }
    const replicaSets = await stage.replicaSets();
    expect(replicaSets).toHaveLength(2);
    const current = replicaSets.find(({ spec }) => spec.replicas === 1);
    expect(current?.metadata.annotations).toMatchObject({
      "deployment.kubernetes.io/revision": "3",
      "deployment.kubernetes.io/revision-history": "1",
    });
    expect((await stage.deployment()).metadata.annotations).toMatchObject({ "deployment.kubernetes.io/revision": "3" });
  });

  test("keeps as many old ReplicaSets as the history allows", async () => {
    const { clock, stage } = await startWorkloads();
    await stage.deploy({ spec: { revisionHistoryLimit: 1 } });
    for (const image of ["web:2", "web:3", "web:4"]) {
      await clock.settle();
      await stage.setImage(image);
    }
    await clock.settle();
    expect(
      (await stage.replicaSets()).map(({ spec }) => String(spec.template?.spec.containers[0]?.image)).toSorted(),
    ).toEqual(["web:3", "web:4"]);
  });

  test("gives up unhealthy old pods before healthy ones", async () => {
    const { clock, stage, workloads } = await startWorkloads();
    await stage.deploy({ replicas: 4, spec: { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } } });
    await clock.settle();
    const [sick] = await stage.pods();
    workloads.setReady(sick?.metadata ?? { name: "" }, false);
    workloads.hold(stage.hasImage("web:2"));
    await clock.settle();
    await stage.setImage("web:2");
    await clock.settle();
    const old = (await stage.pods("web:1")).map(({ metadata }) => metadata.name);
    expect(old).toHaveLength(3);
    expect(old).not.toContain(sick?.metadata.name);
  });
});

describe("the progress deadline", () => {
  test("passes when nothing moves any more, and is forgotten when it does", async () => {
    const { clock, stage, workloads } = await startWorkloads();
    workloads.hold(() => true);
    await stage.deploy({ replicas: 2, spec: { progressDeadlineSeconds: 60 } });
    await clock.advance(60 * SECOND);
    expect(await stage.conditions()).toContain("Progressing=True ReplicaSetUpdated");
    await clock.advance(2 * SECOND);
    expect(await stage.conditions()).toContain("Progressing=False ProgressDeadlineExceeded");
    workloads.release();
    await clock.settle();
    expect(await stage.conditions()).toEqual([
      "Available=True MinimumReplicasAvailable",
      "Progressing=True NewReplicaSetAvailable",
    ]);
  });

  test("starts anew with every pod that becomes ready", async () => {
    const { clock, stage, workloads } = await startWorkloads();
    workloads.hold(() => true);
    await stage.deploy({ replicas: 2, spec: { progressDeadlineSeconds: 60 } });
    await clock.advance(50 * SECOND);
    const [first] = await stage.pods();
    workloads.setReady(first?.metadata ?? { name: "" }, true);
    await clock.advance(50 * SECOND);
    expect(await stage.conditions()).toContain("Progressing=True ReplicaSetUpdated");
  });
});

test("pods count as available only after minReadySeconds", async () => {
  const { clock, stage } = await startWorkloads();
  await stage.deploy({ replicas: 2, spec: { minReadySeconds: 30 } });
  await clock.advance(29 * SECOND);
  expect((await stage.deployment()).status).toMatchObject({ readyReplicas: 2, unavailableReplicas: 2 });
  await clock.advance(1 * SECOND);
  expect((await stage.deployment()).status).toMatchObject({ readyReplicas: 2, availableReplicas: 2 });
});

test("a Recreate waits until the last old pod is gone", async () => {
  const { clock, stage } = await startWorkloads({ rules: () => ({ endsAfterMs: 10 * SECOND }) });
  await stage.deploy({ replicas: 2, spec: { strategy: { type: "Recreate" } } });
  await clock.settle();
  await stage.setImage("web:2");
  await clock.advance(9 * SECOND);
  expect(await stage.sizes()).toEqual([]);
  await clock.advance(1 * SECOND);
  expect(await stage.sizes()).toEqual(["web:2=2"]);
});

describe("while it is paused", () => {
  test("a new template has no effect, a new size has", async () => {
    const { clock, stage } = await startWorkloads();
    await stage.deploy({ replicas: 2 });
    await clock.settle();
    await stage.change({ paused: true });
    await clock.settle();
    expect(await stage.conditions()).toContain("Progressing=Unknown DeploymentPaused");
    await stage.setImage("web:2");
    await stage.scale(3);
    await clock.settle();
    expect(await stage.sizes()).toEqual(["web:1=3"]);
    await stage.change({ paused: false });
    await clock.settle();
    expect(await stage.sizes()).toEqual(["web:2=3"]);
  });
});

describe("scaling during a rollout", () => {
  test.each([
    { from: 10, to: 30, before: ["web:1=8", "web:2=5"], after: ["web:1=23", "web:2=15"] },
    { from: 10, to: 5, before: ["web:1=8", "web:2=5"], after: ["web:1=4", "web:2=3"] },
  ])("from $from to $to is shared out: $before becomes $after", async ({ from, to, before, after }) => {
    const { clock, stage, workloads } = await startWorkloads();
    await stage.deploy({ replicas: from });
    await clock.settle();
    workloads.hold(() => true);
    await stage.setImage("web:2");
    await clock.settle();
    expect(await stage.sizes()).toEqual(before);
    await stage.scale(to);
    await clock.settle();
    expect(await stage.sizes()).toEqual(after);
  });
});
