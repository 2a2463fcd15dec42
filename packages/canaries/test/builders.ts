import type { Canary, CanarySpec } from "@chaski/api";
import type { Deployment } from "@chaski/kube";
import { RETAIN_FINALIZER } from "../src/index.ts";

export function canary(spec: CanarySpec, name = "shop"): Canary {
  return {
    apiVersion: "canarycontroller.chaski.dev/v1alpha1",
    kind: "Canary",
    metadata: {
      name,
      namespace: "prod",
      uid: `uid-${name}`,
      generation: 1,
      resourceVersion: "1",
      creationTimestamp: "2026-01-01T00:00:00Z",
      finalizers: [RETAIN_FINALIZER],
    },
    spec,
  };
}

export function canaryDeploy(spec: Partial<CanarySpec> = {}): Canary {
  return canary({
    type: "CanaryDeploy",
    oldDeploymentName: "shop-v1",
    newDeploymentName: "shop-v2",
    image: "shop:2",
    replicas: 10,
    totalBatches: 3,
    ...spec,
  });
}

export function deployment(name: string, { image = "shop:1", replicas = 10, labels = { app: name } } = {}): Deployment {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "prod", uid: `uid-${name}`, generation: 1, resourceVersion: "1" },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "shop", image }] } },
    },
    status: { observedGeneration: 1, replicas, updatedReplicas: replicas, availableReplicas: replicas },
  };
}
