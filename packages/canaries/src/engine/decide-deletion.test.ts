import { describe, expect, test } from "vitest";
import type { ModelCluster } from "../../test/model-cluster.ts";
import { crashedAtCompletion, pair, settle, started } from "../../test/settle.ts";
import { decideCanary } from "./decide-canary.ts";

describe("deleting a Canary that retains", () => {
  function deleted(cluster: ModelCluster): void {
    const deletionTimestamp = new Date(cluster.nowMs).toISOString();
    cluster.canary = { ...cluster.canary, metadata: { ...cluster.canary.metadata, deletionTimestamp } };
  }

  test("in mid-release restores the older Deployment, removes the newer one, gives it back and lets go", () => {
    const cluster = started();
    deleted(cluster);
    settle(cluster);
    expect(pair(cluster)).toBe("v1 10 × shop:1");
    expect(cluster.deployment("shop-v1")?.metadata.ownerReferences).toBeUndefined();
    expect(cluster.canary.metadata.finalizers).toEqual([]);
  });

  test("after completion only gives the Deployment back", () => {
    const cluster = started({ totalBatches: 1 });
    deleted(cluster);
    settle(cluster);
    expect(pair(cluster)).toBe("v2 10 × shop:2");
    expect(cluster.deployment("shop-v2")?.metadata.ownerReferences).toBeUndefined();
    expect(cluster.canary.metadata.finalizers).toEqual([]);
  });

  test("after completion the older Deployment still goes, and does not take over again", () => {
    const cluster = crashedAtCompletion();
    deleted(cluster);
    settle(cluster);
    expect(pair(cluster)).toBe("v2 10 × shop:2");
    expect(cluster.deployment("shop-v2")?.metadata.ownerReferences).toBeUndefined();
    expect(cluster.canary.metadata.finalizers).toEqual([]);
  });

  test("gives up after ten minutes, with a warning, and leaves both Deployments", () => {
    const cluster = started();
    deleted(cluster);
    for (let minute = 0; minute < 12; minute++) {
      cluster.take(decideCanary(cluster.world()));
      cluster.failPods(() => true);
      cluster.nowMs += 60_000;
    }
    expect(cluster.canary.metadata.finalizers).toEqual([]);
    expect(cluster.events.at(-1)).toBe("DeletionTimedOut");
    expect(cluster.deployment("shop-v2")).toBeDefined();
  });
});
