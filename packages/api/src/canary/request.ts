import type { PodTemplateSpec } from "@chaski/kube";
import type { batchModes, deletionPolicies, pauseTypes } from "./canary.ts";

/** What a Canary asks for, parsed: behind this type nothing is checked again. */
export type CanaryRequest = NormalRequest | BatchRequest | RollbackRequest;

interface Common {
  readonly newName: string;
  readonly deletionPolicy: (typeof deletionPolicies)[number];
  readonly isAutoscalerAllowed: boolean;
}

/** What is wanted of the released container; absent fields are left as they are. */
export interface ContainerRequest {
  readonly image?: string;
  readonly cpu?: string;
  readonly memory?: string;
}

/** An ordinary rolling update: no batches, no pause. */
export interface NormalRequest extends Common {
  readonly type: "NormalDeploy";
  /** Set when the Canary was a CanaryDeploy before: what remains of the older side is drained. */
  readonly oldName?: string;
  readonly replicas?: number;
  readonly container: ContainerRequest;
  readonly template?: PodTemplateSpec;
}

export interface BatchRequest extends Common {
  readonly type: "CanaryDeploy";
  readonly oldName: string;
  readonly replicas: number;
  readonly container: ContainerRequest & { readonly image: string };
  readonly totalBatches: number;
  readonly currentBatch: number;
  readonly pauseType: (typeof pauseTypes)[number];
  readonly batchMode: (typeof batchModes)[number];
}

export interface RollbackRequest extends Common {
  readonly type: "CanaryRollback";
  /** Equal to newName when a NormalDeploy is undone. */
  readonly oldName: string;
  readonly replicas?: number;
  readonly container: ContainerRequest;
}
