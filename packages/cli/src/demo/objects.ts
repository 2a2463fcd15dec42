import { type Canary, canaryResource, crdOf } from "@chaski/api";
import type { CustomResourceDefinition, Deployment } from "@chaski/kube";

export const NAMESPACE = "default";
export const CANARY = "shop";
export const OLDER = "shop-v1";
export const NEWER = "shop-v2";
export const REPLICAS = 10;

export function canaryDefinition(): CustomResourceDefinition {
  return crdOf(canaryResource) as unknown as CustomResourceDefinition;
}

export function demoDeployment(): Deployment {
  const labels = { app: "shop" };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: OLDER, namespace: NAMESPACE },
    spec: {
      replicas: REPLICAS,
      selector: { matchLabels: { ...labels, version: "v1" } },
      template: {
        metadata: { labels: { ...labels, version: "v1" } },
        spec: { containers: [{ name: "shop", image: "registry.example/shop:v1" }] },
      },
    },
  };
}

export function demoCanary(): Canary {
  return {
    apiVersion: "canarycontroller.chaski.dev/v1alpha1",
    kind: "Canary",
    metadata: { name: CANARY, namespace: NAMESPACE },
    spec: {
      type: "CanaryDeploy",
      image: "registry.example/shop:v2",
      oldDeploymentName: OLDER,
      newDeploymentName: NEWER,
      replicas: REPLICAS,
      totalBatches: 3,
    },
  };
}
