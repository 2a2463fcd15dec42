// Which objects scale a revision on a cluster, in the order in which they are written (§6.8).
import type { KedaScaling } from "@chaski/api";
import { ConfigMap, HorizontalPodAutoscaler, type Kind, type KubeObject, type Ref } from "@chaski/kube";
import type { AppPlan, AutoscalerPlan, ClusterPlan, RevisionPlan } from "../../plan/plan.ts";
import { buildDatadogMetric } from "../datadog-metric.ts";
import { buildHorizontalPodAutoscaler, type ReplicaBounds } from "../horizontal-pod-autoscaler.ts";
import { DatadogMetric, ScaledObject, TriggerAuthentication, WorkerPodAutoScaler } from "../kinds.ts";
import { buildAmbientScaledObject, buildScaledObject } from "../scaled-object.ts";
import {
  buildDatadogConfig,
  buildTriggerAuthentication,
  datadogConfigName,
  hasDatadogTrigger,
} from "../trigger-authentication.ts";
import { buildWorkerPodAutoscaler } from "../worker-pod-autoscaler.ts";

export interface AutoscalerObject {
  readonly kind: Kind;
  readonly object: KubeObject;
}

interface Scaling {
  readonly app: AppPlan;
  readonly cluster: Pick<ClusterPlan, "cluster">;
  readonly plan: RevisionPlan;
  readonly bounds: ReplicaBounds;
}

export function autoscalerObjects(scaling: Scaling): readonly AutoscalerObject[] {
  const { app, plan, bounds } = scaling;
  const { tag, autoscaler, target } = plan;
  const { worker, kedaWorker } = target.scale;
  switch (autoscaler.type) {
    case "none":
      return [];
    case "hpa":
      return present(HorizontalPodAutoscaler, buildHorizontalPodAutoscaler(app, tag, autoscaler, bounds));
    case "wpa":
      return present(WorkerPodAutoScaler, worker && buildWorkerPodAutoscaler(app, tag, worker, bounds));
    case "keda":
      return kedaWorker ? kedaObjects(scaling, kedaWorker, autoscaler) : [];
    case "ambient":
      return ambientObjects(scaling, autoscaler);
  }
}

function kedaObjects(
  { app, cluster, plan: { tag }, bounds }: Scaling,
  keda: KedaScaling,
  { requestsRateMilli }: Extract<AutoscalerPlan, { type: "keda" }>,
): readonly AutoscalerObject[] {
  const metric = requestsRateMilli === undefined ? undefined : buildDatadogMetric(app, tag, cluster.cluster);
  return [
    ...present(ConfigMap, hasDatadogTrigger(keda) ? buildDatadogConfig(app, tag) : undefined),
    ...present(TriggerAuthentication, buildTriggerAuthentication(app, tag, keda)),
    ...present(DatadogMetric, metric),
    ...present(ScaledObject, buildScaledObject(app, tag, keda, bounds)),
  ];
}

function ambientObjects(
  { app, plan: { tag }, bounds }: Scaling,
  { requestsRateMilli: perPodMilli }: Extract<AutoscalerPlan, { type: "ambient" }>,
): readonly AutoscalerObject[] {
  const rate = { perPodMilli, prometheusAddress: app.flags.clusterPrometheusAddress };
  return present(ScaledObject, buildAmbientScaledObject(app, tag, rate, bounds));
}

export function autoscalerRefs({ namespace }: Pick<AppPlan, "namespace">, tag: string): readonly Ref[] {
  const kinds = [HorizontalPodAutoscaler, WorkerPodAutoScaler, ScaledObject, TriggerAuthentication, DatadogMetric];
  return [
    ...kinds.map((kind) => ({ kind, namespace, name: tag })),
    { kind: ConfigMap, namespace, name: datadogConfigName(tag) },
  ];
}

function present(kind: Kind, object: KubeObject | undefined): readonly AutoscalerObject[] {
  return object ? [{ kind, object }] : [];
}
