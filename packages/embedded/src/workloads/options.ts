import type { Pod } from "@chaski/kube";
import type { LoadModel } from "./autoscaler/load.ts";

export interface WorkloadsOptions {
  /** How many nodes, each with room for everything, or which. One unless said otherwise. */
  readonly nodes?: number | readonly SimulatedNode[];
  /** From a pod's start until it is ready; at once unless said otherwise. */
  readonly readyAfterMs?: number;
  /** What single pods do differently; asked whenever a pod starts. */
  readonly rules?: PodRule;
  /** What HorizontalPodAutoscalers measure; without one they find no metrics. */
  readonly load?: LoadModel;
}

export interface SimulatedNode {
  readonly name: string;
  /** Quantities: `4`, `500m`, `16Gi`. Without one: room for everything. */
  readonly cpu?: string;
  readonly memory?: string;
  readonly pods?: number;
  readonly labels?: Readonly<Record<string, string>>;
}

export type PodRule = (pod: Pod) => PodBehaviour | undefined;

export interface PodBehaviour {
  readonly readyAfterMs?: number;
  /** Its image can't be pulled; tried again, less and less often. */
  readonly isImageMissing?: boolean;
  /** Its containers end with an error this long after every start. */
  readonly crashesAfterMs?: number;
  /** How long it takes to end once it is deleted, within its grace period; at once unless said otherwise. */
  readonly endsAfterMs?: number;
}

export type PodFilter = (pod: Pod) => boolean;
