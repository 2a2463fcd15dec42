// The waypoint of an app in the ambient mesh: Istio makes its Deployment from the Gateway, patched by the options.
import {
  apiVersionOf,
  type ConfigMap,
  type HorizontalPodAutoscaler,
  parseQuantity,
  type PodDisruptionBudget,
  type ResourceRequirements,
} from "@chaski/kube";
import type { MeshPlan } from "../plan/plan.ts";
import type { App } from "./app.ts";
import { compareText, filled } from "./filled.ts";
import { utilization } from "./horizontal-pod-autoscaler.ts";
import { type SpecObject, WaypointGateway } from "./kinds.ts";

export const WAYPOINT = "waypoint";
export const WAYPOINT_OPTIONS = "waypoint-options";

export type WaypointPlan = NonNullable<MeshPlan["waypoint"]>;

const DATADOG_CHECK = {
  istio: {
    init_config: {},
    instances: [
      {
        use_openmetrics: true,
        istio_mode: "ambient",
        waypoint_endpoint: "http://%%host%%:15020/stats/prometheus",
        collect_histogram_buckets: true,
      },
    ],
  },
};

export function buildWaypointOptions({ namespace }: App, { resources }: WaypointPlan): ConfigMap {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: WAYPOINT_OPTIONS, namespace },
    // JSON is YAML too.
    data: { deployment: JSON.stringify(deploymentPatch(resources), undefined, 2) },
  };
}

function deploymentPatch(given: ResourceRequirements | undefined): unknown {
  const resources = filled({ limits: amounts(given?.limits), requests: amounts(given?.requests) });
  const hasResources = Object.keys(resources).length > 0;
  const role = { key: "node.medium.engineering/role", operator: "In", values: [WAYPOINT] };
  const nodeSelectorTerms = [{ matchExpressions: [role] }];
  const template = {
    metadata: { annotations: { "ad.datadoghq.com/istio-proxy.checks": JSON.stringify(DATADOG_CHECK) } },
    spec: {
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
      ...(hasResources ? { containers: [{ name: "istio-proxy", resources }] } : {}),
      tolerations: [{ key: WAYPOINT, operator: "Exists", effect: "NoSchedule" }],
    },
  };
  return { spec: { template } };
}

/** Sorted; what is zero or unreadable asks for nothing. */
function amounts(given: ResourceRequirements["limits"]): Readonly<Record<string, string>> {
  const readable = Object.entries(given ?? {}).filter(([, amount]) => isPositive(amount));
  return Object.fromEntries(readable.toSorted(([a], [b]) => compareText(a, b)));
}

function isPositive(amount: string): boolean {
  const quantity = parseQuantity(amount);
  return quantity.ok && quantity.value.nanos > 0n;
}

export function buildWaypointGateway({ namespace }: App): SpecObject {
  return {
    apiVersion: apiVersionOf(WaypointGateway),
    kind: WaypointGateway.kind,
    metadata: { name: WAYPOINT, namespace, labels: { "istio.io/waypoint-for": "all" } },
    spec: {
      gatewayClassName: "istio-waypoint",
      infrastructure: { parametersRef: { group: "", kind: "ConfigMap", name: WAYPOINT_OPTIONS } },
      listeners: [{ name: "mesh", port: 15008, protocol: "HBONE" }],
    },
  };
}

export function buildWaypointBudget({ namespace }: App, { minReplicas }: WaypointPlan): PodDisruptionBudget {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: WAYPOINT, namespace },
    spec: {
      minAvailable: Math.max(1, minReplicas - 1),
      selector: { matchLabels: { "gateway.networking.k8s.io/gateway-name": WAYPOINT } },
    },
  };
}

export function buildWaypointAutoscaler({ namespace }: App, plan: WaypointPlan): HorizontalPodAutoscaler {
  const { minReplicas, maxReplicas, targetCpuPercent } = plan;
  return {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: WAYPOINT, namespace },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: WAYPOINT },
      minReplicas,
      maxReplicas,
      metrics: [utilization("cpu", targetCpuPercent)],
    },
  };
}
