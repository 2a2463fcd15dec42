import type { CrossVersionObjectReference, MetricSpec } from "@chaski/kube";

/** What an autoscaler finds when it measures; undefined: the metric is not to be had. */
export type LoadModel = (reading: LoadReading) => number | undefined;

/**
 * The answer is in the unit of the metric's target: percent for a utilisation, the amount per pod for an average
 * value, the whole amount for a value.
 */
export interface LoadReading {
  readonly namespace: string;
  /** What is scaled. */
  readonly target: CrossVersionObjectReference;
  readonly metric: MetricSpec;
  readonly nowMs: number;
  /** How many pods share the load: those that are ready. */
  readonly replicas: number;
}
