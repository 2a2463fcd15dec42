// Kinds that this release really needs and a cluster does not serve: told by the name of the missing CRD (D-71).
import { type Kind, resourceName } from "@chaski/kube";
import type { Gate } from "@chaski/runtime/decision";
import {
  DatadogMetric,
  DestinationRule,
  ExternalSecret,
  PrometheusRule,
  PrometheusServiceLevel,
  ScaledObject,
  ServiceMonitor,
  Sidecar,
  TriggerAuthentication,
  VirtualService,
  WaypointGateway,
  WorkerPodAutoScaler,
} from "../objects/kinds.ts";
import type { AppPlan, AutoscalerPlan, ClusterPlan } from "../plan/plan.ts";

export function missingKindGates(app: AppPlan, clusters: readonly ClusterPlan[]): readonly Gate[] {
  const needed = neededKinds(app);
  return clusters.flatMap(({ cluster, served }) =>
    needed.filter((kind) => !served.includes(resourceName(kind))).map((kind) => missingGate(cluster, kind)),
  );
}

function missingGate(cluster: string, kind: Kind): Gate {
  const crd = resourceName(kind);
  const message = `cluster ${cluster} does not serve ${kind.kind}: its CustomResourceDefinition ${crd} is missing`;
  return {
    name: "KindServed",
    verdict: "waiting",
    cluster,
    value: crd,
    message,
    unblock: `install ${crd} on ${cluster}`,
  };
}

function neededKinds({ routing, mesh, revisions, configs, ...app }: AppPlan): readonly Kind[] {
  const hasRules =
    app.alertRules.length > 0 || app.objectives.length > 0 || revisions.some(({ hasCanaryRule }) => hasCanaryRule);
  const needs: readonly (readonly [boolean, readonly Kind[]])[] = [
    [routing.ports.length > 0, [DestinationRule, VirtualService]],
    [routing.egressHosts !== undefined, [Sidecar]],
    [mesh.waypoint !== undefined, [WaypointGateway]],
    [configs.some(({ source }) => source.kind === "ExternalSecret"), [ExternalSecret]],
    [hasRules, [PrometheusRule]],
    [app.objectives.length > 0 && app.flags.serviceLevelsNamespace !== "", [PrometheusServiceLevel]],
    [app.serviceMonitors.length > 0, [ServiceMonitor]],
    ...revisions.map(({ autoscaler }) => [true, autoscalerKinds(autoscaler)] as const),
  ];
  return [...new Set(needs.flatMap(([isNeeded, kinds]) => (isNeeded ? kinds : [])))];
}

function autoscalerKinds(autoscaler: AutoscalerPlan): readonly Kind[] {
  switch (autoscaler.type) {
    case "wpa":
      return [WorkerPodAutoScaler];
    case "keda":
      return [
        ScaledObject,
        TriggerAuthentication,
        ...(autoscaler.requestsRateMilli === undefined ? [] : [DatadogMetric]),
      ];
    case "ambient":
      return [ScaledObject];
    case "hpa":
    case "none":
      return [];
  }
}
