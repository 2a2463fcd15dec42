// What a Canary does to a cluster. The same tests run on the embedded and on the real API server.
import { Canary } from "@chaski/api";
import { ControllerRevision, CoreEvent, Deployment, HorizontalPodAutoscaler, Pod } from "@chaski/kube";
import { expect, test } from "vitest";
import type { Stage } from "./stage.ts";

export function canarySuite(newStage: () => Promise<Stage>): void {
  test("a release pauses after its first batch, goes on when approved, and takes the older Deployment away", async () => {
    const stage = await newStage();
    await stage.serve("shop-v1");
    await stage.release();
    await stage.untilPaused("1/3");
    expect(await stage.deployments()).toBe("shop-v1 5 × shop:1, shop-v2 1 × shop:2");
    await stage.edit({ currentBatch: 2 });
    await stage.untilReady();
    await stage.untilThereIs("shop-v2 6 × shop:2");
    const { items: pods } = await stage.client.of(Pod).list({ namespace: stage.namespace, labelSelector: "app=shop" });
    expect(pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined)).toHaveLength(6);
    expect((await stage.canary())?.status?.info).toEqual({
      availableReplicas: "6",
      batch1Status: "Finished",
      batch2Status: "Finished",
      batch3Status: "Finished",
    });
  });

  test("events tell the transitions, once each", async () => {
    const stage = await newStage();
    await stage.serve("shop-v1", { replicas: 2 });
    await stage.release({ replicas: 2, totalBatches: 2 });
    await stage.untilPaused("1/2");
    await stage.edit({ currentBatch: 2 });
    await stage.untilReady();
    const reasons = async (): Promise<string[]> => {
      const { items } = await stage.client.of(CoreEvent).list({ namespace: stage.namespace });
      const ours = items.filter(({ involvedObject }) => involvedObject.kind === "Canary");
      return ours.flatMap(({ reason, count }) => Array.from({ length: count ?? 1 }, () => reason ?? "")).toSorted();
    };
    await stage.until("the completion is told", async () => (await reasons()).includes("ReleaseCompleted"));
    const expected = [
      "BatchFinished",
      "BatchFinished",
      "BatchPaused",
      "BatchStarted",
      "BatchStarted",
      "ReleaseCompleted",
      "SelectorOverlap",
    ];
    expect((await reasons()).filter((reason) => reason !== "Synced")).toEqual(expected);
  });

  test("an image change in mid-release starts again at batch 1, whatever was approved before", async () => {
    const stage = await newStage();
    await stage.serve("shop-v1");
    await stage.release({ pauseType: "All", currentBatch: 2 });
    await stage.untilPaused("2/3");
    await stage.edit({ image: "shop:3" });
    await stage.untilPaused("1/3");
    expect(await stage.deployments()).toBe("shop-v1 5 × shop:1, shop-v2 1 × shop:3");
  });

  test("lowering currentBatch retreats and holds", async () => {
    const stage = await newStage();
    await stage.serve("shop-v1");
    await stage.release({ pauseType: "All", currentBatch: 2 });
    await stage.untilPaused("2/3");
    await stage.edit({ currentBatch: 1 });
    await stage.untilPaused("1/3");
    expect(await stage.deployments()).toBe("shop-v1 5 × shop:1, shop-v2 1 × shop:2");
  });

  test("another total in mid-release keeps the batch", async () => {
    const stage = await newStage();
    await stage.serve("shop-v1");
    await stage.release({ pauseType: "All", currentBatch: 2 });
    await stage.untilPaused("2/3");
    await stage.edit({ replicas: 9 });
    await stage.untilThereIs("shop-v1 5 × shop:1, shop-v2 4 × shop:2");
    await stage.untilPaused("2/3");
  });

  test("a rollback in mid-release restores the older Deployment", async () => {
    const stage = await newStage();
    await stage.serve("shop-v1");
    await stage.release({ pauseType: "All", currentBatch: 2 });
    await stage.untilPaused("2/3");
    await stage.edit({ type: "CanaryRollback" });
    await stage.untilReady();
    expect(await stage.deployments()).toBe("shop-v1 6 × shop:1");
    expect((await stage.canary())?.status?.info).toEqual({ rollbackStatus: "Finished" });
  });

  test("a rollback after completion makes the older Deployment again from its record", async () => {
    const stage = await newStage();
    await stage.serve("shop-v1", { replicas: 2 });
    await stage.release({ replicas: 2, totalBatches: 1 });
    await stage.untilReady();
    await stage.untilThereIs("shop-v2 2 × shop:2");
    await stage.edit({ type: "CanaryRollback" });
    await stage.untilReady();
    expect(await stage.deployments()).toBe("shop-v1 2 × shop:1");
  });

  test("NormalDeploy creates, updates in place, corrects drift and rolls back", async () => {
    const stage = await newStage();
    await stage.create({ type: "NormalDeploy", image: "shop:1", replicas: 2, cpu: "0.5", memory: "64Mi" });
    await stage.untilReady();
    await stage.edit({ image: "shop:2" });
    await stage.untilReady();
    expect(await stage.deployments()).toBe("shop 2 × shop:2");
    const key = { namespace: stage.namespace, name: "shop" };
    const drift = { spec: { template: { spec: { containers: [{ name: "shop", image: "shop:evil" }] } } } };
    await stage.client.of(Deployment).patch(key, "strategic", drift);
    await stage.untilThereIs("shop 2 × shop:2");
    await stage.edit({ type: "CanaryRollback", rollbackType: "NormalDeploy" });
    await stage.until("rolled back", async () => (await stage.deployments()) !== "shop 2 × shop:2");
    await stage.untilReady();
    expect((await stage.canary())?.status?.info).toEqual({ rollbackStatus: "Finished" });
  });

  test("NormalDeploy in mid-release promotes", async () => {
    const stage = await newStage();
    await stage.serve("shop-v1");
    await stage.release();
    await stage.untilPaused("1/3");
    await stage.edit({ type: "NormalDeploy" });
    await stage.untilReady();
    await stage.untilThereIs("shop-v2 6 × shop:2");
  });

  test("a spec that is wrong touches nothing, names the key, and goes on when it is mended", async () => {
    const stage = await newStage();
    await stage.serve("shop-v1");
    await stage.create({
      info: { type: "CanaryDeploy", oldDeploymentName: "shop-v1", image: "shop:2", replicas: "6" },
    });
    await stage.untilStalled("InvalidSpec");
    const stalled = (await stage.canary())?.status?.conditions?.find(({ type }) => type === "Stalled");
    expect(stalled?.message).toBe("spec.info.totalBatches: is required: say in how many batches to release");
    expect(await stage.deployments()).toBe("shop-v1 6 × shop:1");
    await stage.edit({ info: { totalBatches: "2", newDeploymentName: "shop-v2" } });
    await stage.untilPaused("1/2");
  });

  test("a foreign Deployment under the newer name stalls the release until it is gone", async () => {
    const stage = await newStage();
    await stage.serve("shop-v1");
    await stage.serve("shop-v2", { image: "other:1", replicas: 1 });
    await stage.release();
    await stage.untilStalled("ErrResourceExists");
    expect(await stage.deployments()).toBe("shop-v1 6 × shop:1, shop-v2 1 × other:1");
    await stage.client.of(Deployment).delete({ namespace: stage.namespace, name: "shop-v2" });
    await stage.untilPaused("1/3");
  });

  test("an autoscaler on one of the Deployments stalls the release until it is gone", async () => {
    const stage = await newStage();
    await stage.serve("shop-v1");
    const metadata = { name: "shop", namespace: stage.namespace };
    const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "shop-v1" };
    const spec = { maxReplicas: 6, minReplicas: 6, scaleTargetRef };
    await stage.client
      .of(HorizontalPodAutoscaler)
      .create({ apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler", metadata, spec });
    await stage.release();
    await stage.untilStalled("AutoscalerPresent");
    await stage.client.of(HorizontalPodAutoscaler).delete(metadata);
    await stage.untilPaused("1/3");
  });

  test("deleting a Canary in mid-release brings the older Deployment back and gives it back", async () => {
    const stage = await newStage();
    await stage.serve("shop-v1");
    await stage.release({ pauseType: "All", currentBatch: 2 });
    await stage.untilPaused("2/3");
    await stage.delete();
    await stage.until("the Canary is gone", async () => (await stage.canary()) === undefined);
    expect(await stage.deployments()).toBe("shop-v1 6 × shop:1");
    expect((await stage.deployment("shop-v1"))?.metadata.ownerReferences ?? []).toEqual([]);
  });

  test("deleting a Canary as soon as it is complete gives the newer Deployment back, and the older one goes", async () => {
    const stage = await newStage();
    await stage.serve("shop-v1");
    await stage.release({ pauseType: "None" });
    await stage.untilReady();
    await stage.delete();
    await stage.until("the Canary is gone", async () => (await stage.canary()) === undefined);
    await stage.untilThereIs("shop-v2 6 × shop:2");
    expect((await stage.deployment("shop-v2"))?.metadata.ownerReferences ?? []).toEqual([]);
  });

  test("deleting a Canary whose policy is Delete takes its Deployments along", async () => {
    const stage = await newStage();
    await stage.serve("shop-v1");
    await stage.release({ deletionPolicy: "Delete" });
    await stage.untilPaused("1/3");
    await stage.delete();
    await stage.until("all is gone", async () => (await stage.deployments()) === "");
  });

  test("an idle release costs no write", async () => {
    const stage = await newStage();
    await stage.serve("shop-v1");
    await stage.release();
    await stage.untilPaused("1/3");
    await stage.pass(2_000);
    const versions = async (): Promise<readonly unknown[]> => {
      const selection = { namespace: stage.namespace };
      const lists = await Promise.all([
        stage.client.of(Canary).list(selection),
        stage.client.of(Deployment).list(selection),
        stage.client.of(ControllerRevision).list(selection),
        stage.client.of(CoreEvent).list(selection),
      ]);
      return lists.map(({ items }) => items.map(({ metadata }) => metadata.resourceVersion));
    };
    const before = await versions();
    await stage.pass(3_000);
    expect(await versions()).toEqual(before);
  });
}
