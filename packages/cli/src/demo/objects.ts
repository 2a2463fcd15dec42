// What the demo releases.
import { type Canary, releaseKeys, type Revision } from "@chaski/api";
import { type Deployment, formatDuration } from "@chaski/kube";

export const NAMESPACE = "demo";
export const FLEET = "production";
export const APP = "shop";
export const TARGET = "production";

export const CANARY = "mail";
export const OLDER = "mail-v1";
export const NEWER = "mail-v2";
const CANARY_REPLICAS = 10;

/** Two pods per cluster, steps of 10, 20, 40, 80 and 100 percent. */
export function demoRevision(
  tag: string,
  { clusters, delayMs, nowMs }: { clusters: number; delayMs: number; nowMs: number },
): Revision {
  const pods = clusters * 2;
  return {
    apiVersion: "picchu.medium.engineering/v1alpha1",
    kind: "Revision",
    metadata: {
      name: `${APP}-${tag}`,
      namespace: NAMESPACE,
      annotations: { [releaseKeys.annotations.committerTimestamp]: new Date(nowMs).toISOString() },
    },
    spec: {
      app: { name: APP, ref: "main", tag, image: `registry.example/${APP}:${tag}` },
      failed: false,
      targets: [
        {
          name: TARGET,
          fleet: FLEET,
          scale: { min: pods, default: pods, max: pods * 2 },
          ports: [{ name: "http", mode: "private", port: 80, containerPort: 8080, ingresses: ["private"] }],
          defaultIngressPorts: { private: "http" },
          release: {
            eligible: true,
            scalingStrategy: "geometric",
            geometricScaling: { start: 10, factor: 2, delay: formatDuration(delayMs) },
            schedule: "always",
          },
        },
      ],
    },
  };
}

export function demoDeployment(): Deployment {
  const labels = { app: CANARY, version: "v1" };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: OLDER, namespace: NAMESPACE },
    spec: {
      replicas: CANARY_REPLICAS,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: CANARY, image: `registry.example/${CANARY}:v1` }] },
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
      image: `registry.example/${CANARY}:v2`,
      oldDeploymentName: OLDER,
      newDeploymentName: NEWER,
      replicas: CANARY_REPLICAS,
      totalBatches: 3,
    },
  };
}
