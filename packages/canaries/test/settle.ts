import type { CanarySpec } from "@chaski/api";
import { decideCanary } from "../src/index.ts";
import { canaryDeploy, deployment } from "./builders.ts";
import { ModelCluster } from "./model-cluster.ts";

/** A release that has gone as far as it goes by itself. */
export function started(spec: Partial<CanarySpec> = {}): ModelCluster {
  const cluster = new ModelCluster(canaryDeploy(spec), deployment("shop-v1", { replicas: spec.replicas ?? 10 }));
  settle(cluster);
  return cluster;
}

/** The status says that the release is complete, and the older Deployment could not be removed any more. */
export function crashedAtCompletion(): ModelCluster {
  const cluster = new ModelCluster(canaryDeploy({ totalBatches: 1 }), deployment("shop-v1"));
  while (conditionOf(cluster, "Ready") !== "True Complete") {
    const decision = decideCanary(cluster.world());
    const isCompleting = decision.events.some(({ reason }) => reason === "ReleaseCompleted");
    cluster.take(decision, isCompleting ? 0 : Number.POSITIVE_INFINITY);
    cluster.becomeReady(() => true);
    cluster.observe();
  }
  return cluster;
}

/** Lets the release go on until nothing changes any more; every pod becomes ready. */
export function settle(cluster: ModelCluster, rounds = 60): void {
  for (let round = 0; round < rounds; round++) {
    cluster.take(decideCanary(cluster.world()));
    cluster.observe();
    cluster.becomeReady(() => true);
    cluster.observe();
  }
}

/** As `kubectl patch` would: the spec changes, and so does the generation. */
export function edit(cluster: ModelCluster, spec: Partial<CanarySpec>): void {
  const { metadata } = cluster.canary;
  const generation = (metadata.generation ?? 1) + 1;
  cluster.canary = {
    ...cluster.canary,
    metadata: { ...metadata, generation },
    spec: { ...cluster.canary.spec, ...spec },
  };
}

/** Pods and images of both Deployments, in short: `v1 9 × shop:1, v2 1 × shop:2`. */
export function pair(cluster: ModelCluster): string {
  const describe = (name: string): string | undefined => {
    if (!cluster.deployment(name)) return undefined;
    const images = cluster.pods(name).map(({ image }) => image);
    return `${name.slice("shop-".length)} ${images.length} × ${[...new Set(images)].join("+")}`;
  };
  return ["shop-v1", "shop-v2"].map(describe).filter(Boolean).join(", ");
}

export function conditionOf(cluster: ModelCluster, type: string): string {
  const condition = cluster.canary.status?.conditions?.find((each) => each.type === type);
  return `${condition?.status} ${condition?.reason}`;
}
