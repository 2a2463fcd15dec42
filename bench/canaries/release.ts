// The release that every side carries out: four pods in three batches, of 1, 2 and 4 pods, never fewer than four
// available, nobody asked for approval.
import type { Canary } from "@chaski/api";
import { defineKind, isTrue, type KubeObject } from "@chaski/kube";

const REPLICAS = 4;
export const BATCHES = 3;
/** Weights of Argo Rollouts that come to the same pods; its last batch is the end of the list. */
const WEIGHTS = [25, 50];
const [BEFORE, AFTER] = ["registry.example/shop:v1", "registry.example/shop:v2"];

export interface Rollout extends KubeObject {
  readonly spec?: unknown;
  readonly status?: {
    readonly phase?: string;
    readonly observedGeneration?: string;
    readonly currentPodHash?: string;
    readonly stableRS?: string;
    readonly currentStepIndex?: number;
    readonly replicas?: number;
    readonly availableReplicas?: number;
  };
}

export const Rollout = defineKind<Rollout>({
  group: "argoproj.io",
  version: "v1alpha1",
  kind: "Rollout",
  plural: "rollouts",
  isNamespaced: true,
});

/** What it runs before the release, deployed by the wing itself: Argo Rollouts has made its ReplicaSets before, too. */
export function servingCanaryOf(namespace: string, name: string): Canary {
  const spec: Canary["spec"] = {
    type: "NormalDeploy",
    image: BEFORE,
    newDeploymentName: `${name}-v1`,
    replicas: REPLICAS,
  };
  return { apiVersion: "canarycontroller.chaski.dev/v1alpha1", kind: "Canary", metadata: { name, namespace }, spec };
}

export function canaryToNewer(name: string): { readonly spec: Partial<Canary["spec"]> } {
  return {
    spec: {
      type: "CanaryDeploy",
      image: AFTER,
      oldDeploymentName: `${name}-v1`,
      newDeploymentName: `${name}-v2`,
      totalBatches: BATCHES,
      pauseType: "None",
    },
  };
}

export function rolloutOf(namespace: string, name: string): Rollout {
  const steps = WEIGHTS.map((setWeight) => ({ setWeight }));
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Rollout",
    metadata: { name, namespace },
    spec: {
      replicas: REPLICAS,
      ...podsOf(name),
      strategy: { canary: { maxSurge: "100%", maxUnavailable: 0, steps } },
    },
  };
}

export const ROLLOUT_TO_NEWER = [{ op: "replace", path: "/spec/template/spec/containers/0/image", value: AFTER }];

function podsOf(app: string) {
  const labels = { app };
  const spec = { containers: [{ name: "shop", image: BEFORE }] };
  return { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } };
}

export function isServing({ status, metadata }: Readonly<Canary>): boolean {
  return isTrue(status?.conditions, "Ready") && status?.observedGeneration === metadata.generation;
}

export function isHealthy({ status, metadata }: Readonly<Rollout>): boolean {
  const isWhole = status?.replicas === REPLICAS && status.availableReplicas === REPLICAS;
  const isStable = status?.stableRS !== undefined && status.stableRS === status.currentPodHash;
  return isWhole && isStable && status.phase === "Healthy" && status.observedGeneration === String(metadata.generation);
}

/** How many batches a Canary that was given its newer image has behind it. */
export function batchesOfCanary(canary: Readonly<Canary>): number {
  const { status, metadata } = canary;
  if (status?.observedGeneration !== metadata.generation) return 0;
  return isServing(canary) ? BATCHES : (status?.currentBatch ?? 1) - 1;
}

/** The gate that lets a batch begin knows since when. */
export function batchDecidedMs({ status }: Readonly<Canary>): number {
  const gate = status?.gates?.find(({ name }) => name === "Approval");
  return Date.parse(gate?.since ?? "");
}

/** The same of a Rollout that was given its newer image. */
export function batchesOfRollout(rollout: Readonly<Rollout>): number {
  const { status, metadata } = rollout;
  if (status?.observedGeneration !== String(metadata.generation)) return 0;
  return isHealthy(rollout) ? BATCHES : Math.min(status.currentStepIndex ?? 0, BATCHES - 1);
}
