import type { Cluster, HttpPortFault, ReleaseManager, Revision } from "@chaski/api";
import type { KubeObject, ReplicaSet } from "@chaski/kube";
import type { ClusterResult } from "@chaski/runtime/decision";
import type { ConfigSource } from "../plan/config-source.ts";
import type { ReleaseFlags } from "../plan/flags.ts";
import type { PodTrouble } from "../pods/pod-trouble.ts";
import type { Calendar } from "./schedule/calendar.ts";

export type { ConfigSource } from "../plan/config-source.ts";
export { defaultFlags, type RampMode, type ReleaseFlags } from "../plan/flags.ts";

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
  /** Why pods are not ready, by tag; known only of those that are late. */
  readonly podTroubles?: Readonly<Record<string, readonly PodTrouble[]>>;
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
