// What the engine hands to the object builders: all that is decided, nothing that is built.
import type {
  ClusterSpec,
  HttpPortFault,
  PortInfo,
  PrometheusAlertRule,
  Revision,
  RevisionTarget,
  ServiceLevelLabels,
  ServiceLevelObjective,
  ServiceMonitorInfo,
} from "@chaski/api";
import type { KubeObject, PodDisruptionBudgetSpec, ResourceRequirements } from "@chaski/kube";
import type { ConfigSource } from "./config-source.ts";
import type { ReleaseFlags } from "./flags.ts";

/** What is the same on every cluster; built once. */
export interface AppPlan {
  readonly app: string;
  readonly target: string;
  readonly fleet: string;
  /** The target namespace, `<app>-<target>`. */
  readonly namespace: string;
  readonly releaseManager: string;
  readonly mesh: MeshPlan;
  /** Role of the newest revision that is applied; on the app's ServiceAccount. */
  readonly roleArn?: string;
  /** Of the newest revision that has pods (D-48); undefined while none has. `{}` means the default budget. */
  readonly podDisruptionBudget?: PodDisruptionBudgetSpec;
  /** Everything that is applied per revision, newest first. */
  readonly revisions: readonly RevisionPlan[];
  /** Chosen by at least one of `revisions`, each once, with the newest tag that chooses it. */
  readonly configs: readonly ConfigPlan[];
  readonly routing: RoutingPlan;
  readonly alertRules: readonly PrometheusAlertRule[];
  readonly serviceMonitors: readonly ServiceMonitorInfo[];
  /** Enabled ones only. */
  readonly objectives: readonly ServiceLevelObjective[];
  readonly objectiveLabels: ServiceLevelLabels;
  readonly flags: ReleaseFlags;
}

export interface MeshPlan {
  readonly mode: "sidecar" | "ambient" | "transition";
  /** Undefined: the waypoint's objects are not wanted. */
  readonly waypoint?: {
    readonly minReplicas: number;
    readonly maxReplicas: number;
    readonly targetCpuPercent: number;
    readonly resources?: ResourceRequirements;
  };
}

/** One revision that is applied on the clusters. */
export interface RevisionPlan {
  readonly tag: string;
  readonly revision: Revision;
  /** With defaults. */
  readonly target: RevisionTarget;
  /** While it ramps by its ReplicaSet: no autoscaler, the ramping annotation (§6.9). */
  readonly isReplicaDriven: boolean;
  /** In the order of `envFrom`: Secrets, ConfigMaps, ExternalSecrets, each by name. */
  readonly configs: readonly ConfigSource[];
  /** Whether the canary's PrometheusRule exists (§7.6). */
  readonly hasCanaryRule: boolean;
  readonly autoscaler: AutoscalerPlan;
}

/** Which autoscaler, with targets as scaled by §6.7; its bounds are per cluster. */
export type AutoscalerPlan =
  | { readonly type: "none" }
  | {
      readonly type: "hpa";
      readonly cpuPercent?: number;
      readonly memoryPercent?: number;
      readonly requestsRateMilli?: number;
      readonly requestsRateMetric: string;
    }
  | { readonly type: "wpa" }
  | { readonly type: "keda"; readonly requestsRateMilli?: number }
  | { readonly type: "ambient"; readonly requestsRateMilli: number };

export interface ConfigPlan {
  readonly source: ConfigSource;
  readonly tag: string;
}

export interface RoutingPlan {
  /** Union by name over the active revisions, newest first. */
  readonly ports: readonly PortInfo[];
  /** Ingress to port name, of the newest deployed revision (D-37). */
  readonly defaultIngressPorts: Readonly<Record<string, string>>;
  /** Undefined: no Sidecar. */
  readonly egressHosts?: readonly string[];
  readonly faults: readonly HttpPortFault[];
}

/** What one cluster gets. */
export interface ClusterPlan {
  readonly cluster: string;
  readonly spec: ClusterSpec;
  readonly served: readonly string[];
  /** By the order of AppPlan.revisions. */
  readonly revisions: readonly ClusterRevisionPlan[];
  /** Tags of which nothing is applied here, and what becomes of their objects. */
  readonly endings: readonly EndingPlan[];
  /** Undefined: the live VirtualService and DestinationRule are kept as they are. */
  readonly route?: RoutePlan;
  /** Everything of ours that the cluster has: the builders account for each. */
  readonly owned: readonly KubeObject[];
}

export interface ClusterRevisionPlan {
  readonly tag: string;
  /** When the ReplicaSet is created. */
  readonly initialReplicas: number;
  /** Through the scale subresource; undefined leaves what is live. */
  readonly scaleTo?: number;
  /** Undefined: no autoscaler on this cluster (factor 0, event-driven elsewhere, no metric, replica-driven). */
  readonly bounds?: { readonly min: number; readonly max: number };
}

export interface EndingPlan {
  readonly tag: string;
  /**
   * keep: nothing changes but the ramping annotation, which goes.
   * retire: autoscalers other than the HPA go, then the ReplicaSet is scaled to `scaleTo`.
   * delete: everything of the tag goes.
   */
  readonly ending: "keep" | "retire" | "delete";
  readonly because: string;
  /** Only where it differs from what is live: capacity asked of a taker whose Revision is applied elsewhere, or 0. */
  readonly scaleTo?: number;
}

export interface RoutePlan {
  /** Sums to 100, sorted by tag, no zeros. */
  readonly weights: readonly { readonly tag: string; readonly percent: number }[];
  /** Tags that a header reaches, sorted by tag. */
  readonly tagged: readonly { readonly tag: string; readonly header: string }[];
  /** Sorted by tag: every tag that this route or the live one names, and those that still drain. */
  readonly subsets: readonly { readonly tag: string; readonly trafficPolicy?: Readonly<Record<string, unknown>> }[];
  /** Whether the write takes weight away from a revision that fails: it goes before all others. */
  readonly isUrgent: boolean;
}
