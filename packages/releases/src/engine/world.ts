import type { Cluster, HttpPortFault, ReleaseManager, Revision } from "@chaski/api";
import type { KubeObject, ReplicaSet } from "@chaski/kube";
import type { ClusterResult } from "@chaski/runtime";
import type { Calendar } from "./schedule/calendar.ts";

/** All that a decision about one ReleaseManager may look at. */
export interface ReleaseWorld {
  readonly nowMs: number;
  readonly releaseManager: ReleaseManager;
  /** Of the app, in the ReleaseManager's namespace and fleet; as they were written, without defaults. */
  readonly revisions: readonly Revision[];
  /** Every enabled cluster of the fleet, sorted by name. */
  readonly clusters: readonly ClusterWorld[];
  /** Of every FaultInjector bound to the app and target. */
  readonly faults: readonly HttpPortFault[];
  /** Secrets, ConfigMaps and ExternalSecrets of the delivery cluster that a Revision's selector could choose. */
  readonly configs: readonly ConfigSource[];
  /** What the judges say, by tag. A judge that is not configured says nothing. */
  readonly evidence: Readonly<Record<string, readonly Evidence[]>>;
  /** ReleaseManagers of other apps or targets whose target namespace is the same (D-85). */
  readonly namesakes: readonly ReleaseManager[];
  readonly flags: ReleaseFlags;
  readonly calendars: readonly Calendar[];
  /** What came of the last decision, by cluster. */
  readonly results?: readonly ClusterResult[];
}

export interface ClusterWorld {
  readonly name: string;
  readonly cluster: Cluster;
  readonly contact: Contact;
  /** Optional kinds that the cluster serves, by resource name: `scaledobjects.keda.sh`. */
  readonly served: readonly string[];
  /** Of the target namespace; the last known ones where the cluster is not observed. */
  readonly replicaSets: readonly ReplicaSet[];
  /** What the live VirtualService says; undefined where there is none. */
  readonly route?: LiveRoute;
  /** Subset names of the live DestinationRule; undefined where there is none. */
  readonly subsets?: readonly string[];
  /** Everything of ours that the cluster has for this ReleaseManager. */
  readonly owned: readonly KubeObject[];
}

/** Unobserved is never absent: what was last seen stays, with its age. */
export interface Contact {
  readonly state: "observed" | "stale" | "unreachable";
  /** When the cluster was last heard from. */
  readonly lastHeardMs?: number;
  /** Why it is not observed, for people. */
  readonly cause?: string;
}

export interface LiveRoute {
  /** Percent by tag, as the release routes have it; tags without weight are left out. */
  readonly weights: Readonly<Record<string, number>>;
  /** Every tag that any route names, weighted or by header. */
  readonly named: readonly string[];
}

/** Content stays outside of the world: a reference and a hash stand for it. */
export interface ConfigSource {
  readonly kind: "Secret" | "ConfigMap" | "ExternalSecret";
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly hash: string;
  /** A Secret's type. */
  readonly type?: string;
  /** An ExternalSecret's spec: it holds references, no secret. */
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** A judge's answer about one tag (§17.4). */
export interface Evidence {
  /** `prometheus`, `datadog` … */
  readonly judge: string;
  readonly verdict: "pass" | "fail" | "unknown";
  /** Why it is unknown: provider down, rate-limited, stale, partial. */
  readonly cause?: string;
  readonly alerts?: readonly string[];
  readonly sinceMs?: number;
}

export interface ReleaseFlags {
  readonly isHumaneReleasesEnabled: boolean;
  readonly serviceLevelsNamespace: string;
  readonly devRoutesServiceHost: string;
  readonly devRoutesServicePort: number;
  readonly clusterPrometheusAddress: string;
  readonly rampMode: RampMode;
  /** Between the moment that no route of a cluster names a tag and scaling it down there. */
  readonly drainMs: number;
  /** How long a ReleaseManager whose last Revision vanished under traffic waits. */
  readonly orphanGraceMs: number;
  /** How long a finalizer waits for clean-up that does not succeed. */
  readonly cleanupTimeoutMs: number;
  /** Limits of states, by state; those of the state table where not given (D-80). */
  readonly stateLimitsMs: Readonly<Record<string, number>>;
  /** Judges that are configured; a revision that wants another one is told so. Undefined: nobody knows. */
  readonly judges?: readonly string[];
  /** Above this percent, won against others, a judge fails nothing any more. */
  readonly judgeUntilPercent: number;
}

export type RampMode = "autoscaler" | "replicaset";

const MINUTE_MS = 60_000;

export const defaultFlags: ReleaseFlags = {
  isHumaneReleasesEnabled: true,
  serviceLevelsNamespace: "service-level-objectives",
  devRoutesServiceHost: "",
  devRoutesServicePort: 80,
  clusterPrometheusAddress: "",
  rampMode: "autoscaler",
  drainMs: 15_000,
  orphanGraceMs: 10 * MINUTE_MS,
  cleanupTimeoutMs: 60 * MINUTE_MS,
  stateLimitsMs: {},
  judgeUntilPercent: 50,
};
