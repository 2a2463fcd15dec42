import type { CanarySpec } from "@chaski/api";
import { decideCanary } from "../src/index.ts";
import type { ModelCluster } from "./model-cluster.ts";

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
