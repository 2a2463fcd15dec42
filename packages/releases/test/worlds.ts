// Worlds for tests, in the words of the domain.
import {
  type Cluster,
  type IncarnationStatus,
  type ReleaseManager,
  type ReleaseManagerStatus,
  releaseKeys,
  type Revision,
  type RevisionSpec,
  type RevisionTarget,
} from "@chaski/api";
import { formatTimestamp, type ReplicaSet } from "@chaski/kube";
import { type ClusterWorld, defaultCalendar, defaultFlags, type LiveRoute, type ReleaseWorld } from "@chaski/releases";

/** A Wednesday, 10:00 in Los Angeles. */
export const NOW_MS = Date.parse("2026-03-04T18:00:00Z");
export const APP = "shop";
export const TARGET = "production";
export const FLEET = "main";
export const NAMESPACE = `${APP}-${TARGET}`;

export interface RevisionOptions {
  readonly target?: Partial<RevisionTarget>;
  readonly spec?: Partial<RevisionSpec>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  /** Before now; the git time is the same. */
  readonly ageMs?: number;
  readonly nowMs?: number;
}

export function aRevision(tag: string, options: RevisionOptions = {}): Revision {
  const createdAt = formatTimestamp((options.nowMs ?? NOW_MS) - (options.ageMs ?? ageOf(tag)));
  return {
    apiVersion: "picchu.medium.engineering/v1alpha1",
    kind: "Revision",
    metadata: {
      name: `${APP}-${tag}`,
      namespace: "delivery",
      uid: `uid-${tag}`,
      resourceVersion: "7",
      creationTimestamp: createdAt,
      labels: { [releaseKeys.labels.app]: APP, ...options.labels },
      annotations: { [releaseKeys.annotations.committerTimestamp]: createdAt, ...options.annotations },
    },
    spec: {
      app: { name: APP, ref: "main", tag, image: `registry.invalid/${APP}:${tag}` },
      failed: false,
      targets: [aTarget(options.target)],
      ...options.spec,
    },
  };
}

/** v1 is older than v2: an hour apart, none older than a day. */
function ageOf(tag: string): number {
  const number = Number(/\d+/.exec(tag)?.[0] ?? 0);
  return (20 - Math.min(number, 19)) * 3_600_000;
}

export function aTarget(target: Partial<RevisionTarget> = {}): RevisionTarget {
  return {
    name: TARGET,
    fleet: FLEET,
    scale: { min: 4, max: 40, targetCPUUtilizationPercentage: 70 },
    ports: [{ name: "http", mode: "private", port: 80, containerPort: 8080, ingresses: ["private"] }],
    defaultIngressPorts: { private: "http" },
    ...target,
    release: {
      eligible: true,
      scalingStrategy: "linear",
      linearScaling: { increment: 20, delay: "10s" },
      schedule: "always",
      ...target.release,
    },
  };
}

export function anEntry(
  tag: string,
  entry: Partial<Omit<IncarnationStatus, "state">> & { readonly state: string },
): IncarnationStatus {
  const { state, ...rest } = entry;
  const longAgo = formatTimestamp(NOW_MS - 300_000);
  return {
    tag,
    currentPercent: 0,
    peakPercent: rest.currentPercent ?? 0,
    releaseEligible: true,
    lastUpdated: longAgo,
    ttl: 432_000,
    ...rest,
    state: { current: state, target: state, lastUpdated: longAgo },
  };
}

export function aReleaseManager(
  revisions: readonly IncarnationStatus[],
  metadata: Partial<ReleaseManager["metadata"]> = {},
  status: Partial<ReleaseManagerStatus> = {},
): ReleaseManager {
  return {
    apiVersion: "picchu.medium.engineering/v1alpha1",
    kind: "ReleaseManager",
    metadata: {
      name: NAMESPACE,
      namespace: "delivery",
      uid: "uid-rm",
      resourceVersion: "3",
      finalizers: [releaseKeys.finalizers.releaseManager],
      ...metadata,
    },
    spec: { app: APP, target: TARGET, fleet: FLEET },
    status: { lastUpdated: formatTimestamp(NOW_MS - 60_000), revisions: [...revisions], ...status },
  };
}

export interface ClusterOptions {
  /** Ready pods by tag; a pair is [wanted, ready]. */
  readonly pods?: Readonly<Record<string, number | readonly [number, number]>>;
  readonly weights?: Readonly<Record<string, number>>;
  /** Tags named by header only. */
  readonly tagged?: readonly string[];
  readonly contact?: ClusterWorld["contact"];
  readonly spec?: Partial<Cluster["spec"]>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly owned?: ClusterWorld["owned"];
}

export function aCluster(name: string, options: ClusterOptions = {}): ClusterWorld {
  const route = routeOf(options);
  return {
    name,
    cluster: {
      apiVersion: "picchu.medium.engineering/v1alpha1",
      kind: "Cluster",
      metadata: {
        name,
        namespace: "delivery",
        labels: { [releaseKeys.labels.fleet]: FLEET },
        annotations: options.annotations ?? {},
      },
      spec: {
        enabled: true,
        ingresses: {
          public: { dnsName: "", defaultDomains: [] },
          private: { dnsName: "", gateway: "gateways/private", defaultDomains: ["example.invalid"] },
        },
        ...options.spec,
      },
    },
    contact: options.contact ?? { state: "observed" },
    served: EVERYTHING,
    replicaSets: Object.entries(options.pods ?? {}).map(([tag, pods]) => aReplicaSet(tag, pods)),
    ...(route ? { route, subsets: route.named } : {}),
    owned: options.owned ?? [],
  };
}

const EVERYTHING = [
  "destinationrules.networking.istio.io",
  "virtualservices.networking.istio.io",
  "sidecars.networking.istio.io",
  "prometheusrules.monitoring.coreos.com",
  "servicemonitors.monitoring.coreos.com",
  "prometheusservicelevels.sloth.slok.dev",
  "externalsecrets.external-secrets.io",
  "datadogmetrics.datadoghq.com",
  "workerpodautoscalers.k8s.practo.dev",
  "scaledobjects.keda.sh",
  "triggerauthentications.keda.sh",
  "gateways.gateway.networking.k8s.io",
];

function routeOf({ weights, tagged = [] }: ClusterOptions): LiveRoute | undefined {
  if (!weights) return undefined;
  const weighted = Object.keys(weights).filter((tag) => (weights[tag] ?? 0) > 0);
  return { weights, named: [...new Set([...weighted, ...tagged])].toSorted() };
}

export function aReplicaSet(tag: string, pods: number | readonly [number, number]): ReplicaSet {
  const [replicas, ready] = typeof pods === "number" ? [pods, pods] : pods;
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name: tag, namespace: NAMESPACE, labels: { [releaseKeys.labels.tag]: tag } },
    spec: { replicas, selector: {} },
    status: { replicas, availableReplicas: ready },
  };
}

export const CALENDARS = [defaultCalendar];

export function aWorld(parts: Partial<ReleaseWorld> & Pick<ReleaseWorld, "clusters" | "revisions">): ReleaseWorld {
  return {
    nowMs: NOW_MS,
    releaseManager: aReleaseManager([]),
    faults: [],
    configs: [],
    evidence: {},
    namesakes: [],
    flags: defaultFlags,
    calendars: CALENDARS,
    ...parts,
  };
}
