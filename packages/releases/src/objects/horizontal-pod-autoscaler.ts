import { type HorizontalPodAutoscaler, type MetricSpec, normalizeQuantity } from "@chaski/kube";
import type { AutoscalerPlan } from "../plan/plan.ts";
import type { App } from "./app.ts";
import { incarnationLabels } from "./labels.ts";

export interface ReplicaBounds {
  readonly min: number;
  readonly max: number;
}

export type HpaPlan = Extract<AutoscalerPlan, { type: "hpa" }>;

export const REPLICA_SET_TARGET = { apiVersion: "apps/v1", kind: "ReplicaSet" } as const;

/** Undefined where nothing is measured: an autoscaler without metrics is none. */
export function buildHorizontalPodAutoscaler(
  app: App,
  tag: string,
  plan: HpaPlan,
  bounds: ReplicaBounds,
): HorizontalPodAutoscaler | undefined {
  const metrics = metricsOf(plan);
  if (metrics.length === 0) return undefined;
  return {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: tag, namespace: app.namespace, labels: incarnationLabels(app, tag) },
    spec: {
      scaleTargetRef: { ...REPLICA_SET_TARGET, name: tag },
      minReplicas: bounds.min,
      maxReplicas: Math.max(bounds.min, bounds.max),
      metrics,
    },
  };
}

function metricsOf(plan: HpaPlan): readonly MetricSpec[] {
  const { cpuPercent, memoryPercent, requestsRateMilli, requestsRateMetric } = plan;
  return [
    ...(cpuPercent === undefined ? [] : [utilization("cpu", cpuPercent)]),
    ...(memoryPercent === undefined ? [] : [utilization("memory", memoryPercent)]),
    ...(requestsRateMilli === undefined ? [] : [perPod(requestsRateMetric, requestsRateMilli)]),
  ];
}

export function utilization(name: "cpu" | "memory", percent: number): MetricSpec {
  return { type: "Resource", resource: { name, target: { type: "Utilization", averageUtilization: percent } } };
}

function perPod(metric: string, milli: number): MetricSpec {
  const target = { type: "AverageValue", averageValue: milliQuantity(milli) };
  return { type: "Pods", pods: { metric: { name: metric }, target } };
}

function milliQuantity(milli: number): string {
  const normal = normalizeQuantity(`${milli}m`);
  return normal.ok ? normal.value : `${milli}m`;
}
