import { type CanarySpec, describeProblems, parseCanary } from "@chaski/api";
import type { HorizontalPodAutoscaler } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { canary, canaryDeploy, deployment } from "../../test/builders.ts";
import { ModelCluster } from "../../test/model-cluster.ts";
import { conditionOf, crashedAtCompletion, edit, pair, settle, started } from "../../test/settle.ts";
import { decideCanary } from "./decide-canary.ts";
import type { CanaryWorld } from "./world.ts";

describe("a release in batches", () => {
  test("pauses after batch 1 for approval, with one pod of the newer version", () => {
    const cluster = started();
    expect(pair(cluster)).toBe("v1 9 × shop:1, v2 1 × shop:2");
    expect(cluster.canary.status).toMatchObject({
      currentBatch: 1,
      batch: "1/3",
      paused: true,
      info: { batch1Status: "Finished", availableReplicas: "10" },
    });
    expect(conditionOf(cluster, "Ready")).toBe("False Paused");
  });

  test("goes through its batches when approved, and deletes the older Deployment at the end", () => {
    const cluster = started();
    edit(cluster, { currentBatch: 2 });
    settle(cluster);
    expect(pair(cluster)).toBe("v2 10 × shop:2");
    expect(cluster.canary.status?.info).toEqual({
      batch1Status: "Finished",
      batch2Status: "Finished",
      batch3Status: "Finished",
      availableReplicas: "10",
    });
    expect(conditionOf(cluster, "Ready")).toBe("True Complete");
  });

  test("is complete as soon as the older Deployment reports no pods; that one goes, also after a crash", () => {
    const cluster = crashedAtCompletion();
    expect(pair(cluster)).toBe("v1 0 × , v2 10 × shop:2");
    settle(cluster);
    expect(pair(cluster)).toBe("v2 10 × shop:2");
    expect(cluster.events.filter((reason) => reason === "ReleaseCompleted")).toHaveLength(1);
  });

  test("tells each transition once, in order", () => {
    const cluster = started({ totalBatches: 2 });
    edit(cluster, { currentBatch: 2 });
    settle(cluster);
    expect(cluster.events).toEqual([
      "SelectorOverlap",
      "BatchStarted",
      "BatchFinished",
      "BatchPaused",
      "BatchStarted",
      "BatchFinished",
      "ReleaseCompleted",
    ]);
  });

  test("an older Deployment with a broad selector is allowed, with a warning; surplus batches are told", () => {
    const labels = { app: "shop" };
    const older = deployment("shop-v1", { replicas: 2, labels });
    const cluster = new ModelCluster(canaryDeploy({ replicas: 2, totalBatches: 3 }), older);
    settle(cluster);
    expect(cluster.events.slice(0, 2)).toEqual(["SelectorOverlap", "SurplusBatches"]);
    expect(pair(cluster)).toBe("v1 1 × shop:1, v2 1 × shop:2");
  });

  test("Synced is told for a pass that changes a Deployment, and only then", () => {
    const cluster = new ModelCluster(canaryDeploy(), deployment("shop-v1"));
    const told = (): number => decideCanary(cluster.world()).events.filter(({ reason }) => reason === "Synced").length;
    expect(told()).toBe(1);
    settle(cluster);
    expect(told()).toBe(0);
  });

  test.each([
    { pauseType: "First" as const, approved: 2, batch: "5/5", paused: false },
    { pauseType: "All" as const, approved: 3, batch: "3/5", paused: true },
    { pauseType: "None" as const, approved: 1, batch: "5/5", paused: false },
  ])(
    "with pauseType $pauseType, approved to $approved, it stands at $batch",
    ({ pauseType, approved, batch, paused }) => {
      const cluster = started({ totalBatches: 5, pauseType });
      edit(cluster, { currentBatch: approved });
      settle(cluster);
      expect(cluster.canary.status).toMatchObject({ batch, paused });
    },
  );

  test("approving several batches ahead runs them in order", () => {
    const cluster = started({ totalBatches: 4, pauseType: "All" });
    edit(cluster, { currentBatch: 3 });
    const seen: number[] = [];
    for (let round = 0; round < 20; round++) {
      settle(cluster, 1);
      seen.push(cluster.canary.status?.currentBatch ?? 0);
    }
    expect([...new Set(seen)]).toEqual([2, 3]);
  });

  test("a single batch has nothing to approve", () => {
    expect(pair(started({ totalBatches: 1 }))).toBe("v2 10 × shop:2");
  });

  test("lowering currentBatch retreats to that batch and holds there, although First would go on", () => {
    const cluster = started({ totalBatches: 5, pauseType: "All" });
    edit(cluster, { currentBatch: 4 });
    settle(cluster);
    edit(cluster, { currentBatch: 2, pauseType: "First" });
    settle(cluster);
    expect(cluster.canary.status).toMatchObject({ batch: "2/5", paused: true });
    expect(pair(cluster)).toBe("v1 7 × shop:1, v2 3 × shop:2");
    edit(cluster, { currentBatch: 3 });
    settle(cluster);
    expect(pair(cluster)).toBe("v2 10 × shop:2");
  });

  test("a release of no pods ends at once and removes the older Deployment", () => {
    const cluster = started({ replicas: 0 });
    expect(pair(cluster)).toBe("v2 0 × ");
    expect(conditionOf(cluster, "Ready")).toBe("True Complete");
  });

  test("more batches than replicas: surplus batches finish at once but still pause", () => {
    const cluster = started({ replicas: 2, totalBatches: 5, pauseType: "All" });
    edit(cluster, { currentBatch: 4 });
    settle(cluster);
    expect(cluster.canary.status).toMatchObject({ batch: "4/5", paused: true });
  });

  test("the older Deployment stays at 0 pods until the last batch, so that rollback is quick", () => {
    const cluster = started({ replicas: 3, totalBatches: 5, pauseType: "All" });
    edit(cluster, { currentBatch: 4 });
    settle(cluster);
    expect(pair(cluster)).toBe("v1 0 × , v2 3 × shop:2");
  });

  test("without an older Deployment it is an install: straight to all pods", () => {
    const cluster = new ModelCluster(canaryDeploy());
    settle(cluster);
    expect(pair(cluster)).toBe("v2 10 × shop:2");
    expect(conditionOf(cluster, "Ready")).toBe("True Complete");
  });
});

describe("changes in mid-release", () => {
  test("an approval of the previous image does not approve the next one", () => {
    const cluster = started({ totalBatches: 5, pauseType: "All" });
    edit(cluster, { currentBatch: 3 });
    settle(cluster);
    edit(cluster, { image: "shop:3" });
    settle(cluster);
    expect(cluster.canary.status).toMatchObject({ batch: "1/5", paused: true, approvedBatch: 1 });
    expect(pair(cluster)).toBe("v1 9 × shop:1, v2 1 × shop:3");
    edit(cluster, { currentBatch: 2 });
    settle(cluster);
    expect(cluster.canary.status).toMatchObject({ batch: "2/5", paused: true });
  });

  test("the annotation approves the revision that it names, whatever currentBatch said before", () => {
    const cluster = started({ totalBatches: 3, pauseType: "All" });
    edit(cluster, { currentBatch: 2 });
    settle(cluster);
    edit(cluster, { image: "shop:3" });
    settle(cluster);
    const revision = cluster.canary.status?.revision ?? "";
    const annotations = { "canarycontroller.chaski.dev/approves": revision };
    cluster.canary = { ...cluster.canary, metadata: { ...cluster.canary.metadata, annotations } };
    settle(cluster);
    expect(cluster.canary.status).toMatchObject({ batch: "2/3", paused: true });
  });

  test("at no moment does a newer image run on more pods than batch 1 allows before it is approved", () => {
    const cluster = started({ totalBatches: 2, replicas: 6 });
    edit(cluster, { currentBatch: 2, totalBatches: 3, pauseType: "All" });
    settle(cluster);
    edit(cluster, { image: "shop:3" });
    const exposed: number[] = [];
    for (let round = 0; round < 40; round++) {
      settle(cluster, 1);
      exposed.push(cluster.pods("shop-v2").filter(({ image }) => image === "shop:3").length);
    }
    expect(Math.max(...exposed)).toBe(1);
  });

  test("the image set back to the old one is a rollback", () => {
    const cluster = started({ totalBatches: 5, pauseType: "All" });
    edit(cluster, { image: "shop:1" });
    settle(cluster);
    expect(pair(cluster)).toBe("v1 10 × shop:1");
    expect(cluster.canary.status?.info).toEqual({ rollbackStatus: "Finished" });
    expect(cluster.events.slice(-2)).toEqual(["RollbackStarted", "RollbackFinished"]);
  });

  test("another total keeps the batch and moves the targets", () => {
    const cluster = started({ totalBatches: 3, pauseType: "All" });
    edit(cluster, { currentBatch: 2 });
    settle(cluster);
    edit(cluster, { replicas: 20 });
    settle(cluster);
    expect(pair(cluster)).toBe("v1 12 × shop:1, v2 8 × shop:2");
  });

  test("fewer batches than the release is in are refused, unless the last one is approved by its number", () => {
    const cluster = started({ totalBatches: 5, pauseType: "All" });
    edit(cluster, { currentBatch: 4 });
    settle(cluster);
    const before = pair(cluster);
    edit(cluster, { totalBatches: 3, currentBatch: 2 });
    settle(cluster);
    expect(conditionOf(cluster, "Stalled")).toBe("True InvalidSpec");
    expect(pair(cluster)).toBe(before);
    edit(cluster, { currentBatch: 3 });
    settle(cluster);
    expect(pair(cluster)).toBe("v2 10 × shop:2");
  });

  test("NormalDeploy in mid-release promotes", () => {
    const cluster = started();
    edit(cluster, { type: "NormalDeploy" });
    settle(cluster);
    expect(pair(cluster)).toBe("v2 10 × shop:2");
  });
});

describe("rollback", () => {
  test("in mid-release raises the older Deployment and deletes the newer one", () => {
    const cluster = started({ totalBatches: 3, pauseType: "All" });
    edit(cluster, { currentBatch: 2 });
    settle(cluster);
    edit(cluster, { type: "CanaryRollback" });
    settle(cluster);
    expect(pair(cluster)).toBe("v1 10 × shop:1");
    expect(cluster.canary.status?.info).toEqual({ rollbackStatus: "Finished" });
  });

  test("after completion makes the older Deployment again from its recorded template", () => {
    const cluster = started({ totalBatches: 1 });
    expect(pair(cluster)).toBe("v2 10 × shop:2");
    edit(cluster, { type: "CanaryRollback" });
    settle(cluster);
    expect(pair(cluster)).toBe("v1 10 × shop:1");
  });

  test("without a recorded template it stalls and says what to do", () => {
    const cluster = new ModelCluster(canaryDeploy());
    settle(cluster);
    edit(cluster, { type: "CanaryRollback" });
    settle(cluster);
    expect(conditionOf(cluster, "Stalled")).toBe("True NothingToRestore");
    expect(pair(cluster)).toBe("v2 10 × shop:2");
  });

  test("with nothing to undo it is finished", () => {
    const cluster = new ModelCluster(canaryDeploy({ type: "CanaryRollback" }), deployment("shop-v1"));
    settle(cluster);
    expect(cluster.canary.status?.info).toEqual({ rollbackStatus: "Finished" });
  });

  test("of a NormalDeploy goes back to the image before, and stays there", () => {
    const spec = { type: "NormalDeploy", newDeploymentName: "shop-v1", replicas: 2 } as const;
    const cluster = new ModelCluster(canary({ ...spec, image: "shop:1" }));
    settle(cluster);
    edit(cluster, { image: "shop:2" });
    settle(cluster);
    expect(pair(cluster)).toBe("v1 2 × shop:2");
    edit(cluster, { type: "CanaryRollback", rollbackType: "NormalDeploy" });
    settle(cluster);
    expect(pair(cluster)).toBe("v1 2 × shop:1");
    expect(cluster.canary.status?.info).toEqual({ rollbackStatus: "Finished" });
  });
});

describe("what is in the way: no Deployment is touched", () => {
  const autoscaler = {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "shop", namespace: "prod" },
    spec: { maxReplicas: 5, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "shop-v1" } },
  } as HorizontalPodAutoscaler;
  const controlled = {
    ...deployment("shop-v1"),
    metadata: {
      ...deployment("shop-v1").metadata,
      ownerReferences: [{ apiVersion: "x/v1", kind: "App", name: "a", uid: "u", controller: true }],
    },
  };
  const rival = canaryDeploy();
  const cases: readonly [string, Partial<CanaryWorld>, string][] = [
    [
      "the newer Deployment exists and is not ours",
      { deployments: [deployment("shop-v1"), deployment("shop-v2")] },
      "ErrResourceExists",
    ],
    ["another controller owns the older one", { deployments: [controlled] }, "DeploymentControlled"],
    ["an autoscaler targets one of them", { autoscalers: [autoscaler] }, "AutoscalerPresent"],
    [
      "a third Deployment's selector matches the newer pods",
      { deployments: [deployment("shop-v1"), deployment("other", { labels: { app: "shop-v1" } })] },
      "SelectorOverlap",
    ],
    [
      "an older Canary names one of them",
      {
        neighbours: [
          { ...rival, metadata: { ...rival.metadata, name: "elder", creationTimestamp: "2025-01-01T00:00:00Z" } },
        ],
      },
      "DeploymentContested",
    ],
  ];

  test.each(cases)("%s", (_name, change, reason) => {
    const world = { ...new ModelCluster(canaryDeploy(), deployment("shop-v1")).world(), ...change };
    const decision = decideCanary(world);
    expect(decision.stalled?.reason).toBe(reason);
    expect(decision.desired.flatMap(({ entries }) => entries).filter(({ verb }) => verb !== "keep")).toEqual([]);
    expect(decision.events).toMatchObject([{ type: "Warning", reason }]);
  });

  test("an autoscaler is let be when the spec allows it", () => {
    const cluster = new ModelCluster(canaryDeploy({ allowAutoscaler: true }), deployment("shop-v1"));
    expect(decideCanary({ ...cluster.world(), autoscalers: [autoscaler] }).stalled).toBeUndefined();
  });
});

describe("bad input touches nothing and names the key", () => {
  const info = (fields: Record<string, string>): CanarySpec => ({
    info: {
      type: "CanaryDeploy",
      oldDeploymentName: "a",
      newDeploymentName: "b",
      image: "i",
      replicas: "3",
      totalBatches: "3",
      ...fields,
    },
  });
  test.each<[CanarySpec, string]>([
    [info({ currentBatch: "4" }), "spec.info.currentBatch: is 4, but there are 3 batches: approve at most batch 3"],
    [info({ currentBatch: "0" }), 'spec.info.currentBatch: is "0"; it must be a whole number from 1 to 10000'],
    [info({ currentBatch: "" }), 'spec.info.currentBatch: is ""; it must be a whole number from 1 to 10000'],
    [info({ currentBatch: "2abc" }), 'spec.info.currentBatch: is "2abc"; it must be a whole number from 1 to 10000'],
    [info({ replicas: "1e2" }), 'spec.info.replicas: is "1e2"; it must be a whole number from 0 to 10000'],
    [info({ totalBatches: "0" }), 'spec.info.totalBatches: is "0"; it must be a whole number from 1 to 10000'],
    [
      info({ type: "Deploy" }),
      'spec.info.type: is "Deploy"; it must be one of NormalDeploy, CanaryDeploy, CanaryRollback',
    ],
    [info({ pauseType: "some" }), 'spec.info.pauseType: is "some"; it must be one of First, All, None'],
    [info({ cpu: "fast" }), 'spec.info.cpu: is "fast"; it must be a quantity such as 500m or 256Mi'],
    [
      info({ newDeploymentName: "a" }),
      "spec.info.newDeploymentName: is the same as oldDeploymentName (a): a CanaryDeploy needs two Deployments; NormalDeploy updates one in place",
    ],
    [
      { type: "CanaryDeploy", oldDeploymentName: "a", image: "i", replicas: 1 },
      "spec.totalBatches: is required: say in how many batches to release",
    ],
    [{}, "spec.type: is required: say what to do: NormalDeploy, CanaryDeploy, CanaryRollback"],
  ])("%o", (spec, message) => {
    const parsed = parseCanary("shop", spec);
    expect(parsed.isValid ? "" : describeProblems(parsed.problems)).toBe(message);
    const decision = decideCanary(new ModelCluster(canary(spec), deployment("a")).world());
    expect(decision.stalled).toEqual({ reason: "InvalidSpec", message });
    expect(decision.desired.flatMap(({ entries }) => entries)).toEqual([]);
  });

  test("both forms at once are refused", () => {
    const parsed = parseCanary("shop", { ...info({}), image: "j" });
    expect(parsed.isValid ? "" : parsed.problems[0]?.message).toContain(
      "give either info or the typed fields, not both: remove spec.image",
    );
  });

  test("the same problem is told by one event only", () => {
    const cluster = new ModelCluster(canary({}));
    settle(cluster, 5);
    expect(cluster.events).toEqual(["InvalidSpec"]);
  });
});

test("a hundred idle passes decide the same and write nothing", () => {
  const cluster = started();
  const { writes } = cluster;
  const status = JSON.stringify(cluster.canary.status);
  settle(cluster, 100);
  expect(cluster.writes).toBe(writes);
  expect(JSON.stringify(cluster.canary.status)).toBe(status);
});
