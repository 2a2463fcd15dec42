// What the fuzzer writes: per kind the least that the server accepts, and pieces, good and bad, that it puts together.
import { template } from "../cases/samples.ts";
import type { Json } from "./json.ts";

export interface FuzzedKind {
  readonly kind: string;
  readonly plural: string;
  readonly apiVersions: readonly [string, ...string[]];
  readonly base: Json;
  readonly fragments: readonly Json[];
  readonly statuses: readonly Json[];
  readonly jsonPatches: readonly Json[];
  readonly subresources: readonly string[];
  readonly isCustom?: boolean;
}

const OWNER = { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "11111111-1111-4111-8111-111111111111" };

export const METADATA: readonly Json[] = [
  { metadata: { labels: { app: "web" } } },
  { metadata: { labels: { app: "other", tier: "front" } } },
  { metadata: { labels: { app: null } } },
  { metadata: { labels: null } },
  { metadata: { labels: { "not a label": "x" } } },
  { metadata: { annotations: { note: "1" } } },
  { metadata: { annotations: { note: "2", other: "1" } } },
  { metadata: { finalizers: ["example.com/a"] } },
  { metadata: { finalizers: ["example.com/b", "example.com/a"] } },
  { metadata: { finalizers: [] } },
  { metadata: { finalizers: null } },
  { metadata: { finalizers: ["bad finalizer"] } },
  { metadata: { ownerReferences: [OWNER] } },
  { metadata: { ownerReferences: [{ ...OWNER, controller: true, blockOwnerDeletion: true }] } },
  { metadata: { ownerReferences: [{ ...OWNER, uid: "" }] } },
  { metadata: { uid: "22222222-2222-4222-8222-222222222222" } },
  { metadata: { generation: 7 } },
  { metadata: { managedFields: [] } },
  { metadata: { unknown: 1 } },
];

const META_PATCHES: readonly Json[] = [
  { op: "add", path: "/metadata/labels", value: { app: "web" } },
  { op: "add", path: "/metadata/labels/tier", value: "front" },
  { op: "remove", path: "/metadata/labels/app" },
  { op: "add", path: "/metadata/finalizers", value: ["example.com/a"] },
  { op: "remove", path: "/metadata/finalizers" },
  { op: "test", path: "/metadata/name", value: "one" },
  { op: "replace", path: "/metadata/name", value: "three" },
];

const noSubresources = { statuses: [], subresources: [] };

const configMap: FuzzedKind = {
  kind: "ConfigMap",
  plural: "configmaps",
  apiVersions: ["v1"],
  base: {},
  ...noSubresources,
  fragments: [
    { data: { a: "1" } },
    { data: { a: "2", b: "1" } },
    { data: { a: null } },
    { data: { b: "" } },
    { data: null },
    { data: { a: 1 } },
    { data: { "bad key": "x" } },
    { data: { a: "x" }, binaryData: { a: "eA==" } },
    { binaryData: { c: "eA==" } },
    { binaryData: { c: "not base64" } },
    { immutable: true },
    { immutable: false },
    { unknown: "field" },
  ],
  jsonPatches: [
    ...META_PATCHES,
    { op: "add", path: "/data", value: { a: "9" } },
    { op: "add", path: "/data/b", value: "7" },
    { op: "remove", path: "/data/a" },
    { op: "replace", path: "/data/a", value: null },
    { op: "copy", from: "/data/a", path: "/data/c" },
    { op: "move", from: "/data/b", path: "/data/d" },
  ],
};

const secret: FuzzedKind = {
  kind: "Secret",
  plural: "secrets",
  apiVersions: ["v1"],
  base: {},
  ...noSubresources,
  fragments: [
    { data: { a: "MQ==" } },
    { data: { a: "Mg==", b: "MQ==" } },
    { data: { a: null } },
    { stringData: { a: "3" } },
    { stringData: { c: "" } },
    { type: "Opaque" },
    { type: "example.com/own" },
    { type: "kubernetes.io/tls" },
    { immutable: true },
    { data: { "bad key": "eA==" } },
  ],
  jsonPatches: [...META_PATCHES, { op: "add", path: "/data/b", value: "OA==" }, { op: "remove", path: "/data/a" }],
};

const container = (more: object): object => ({ name: "main", image: "nginx:1.27", ...more });
const pod = (spec: object): Json => ({ spec: { template: { spec } } });
const TEMPLATES: readonly Json[] = [
  pod({ containers: [container({ image: "nginx:1.28" })] }),
  pod({ containers: [container({ image: "nginx" }), { name: "side", image: "envoy" }] }),
  pod({ containers: [container({ env: [{ name: "A", value: "1" }] })] }),
  pod({
    containers: [
      container({
        env: [
          { name: "B", value: "1" },
          { name: "A", value: "2" },
        ],
      }),
    ],
  }),
  pod({ containers: [container({ ports: [{ containerPort: 80 }] })] }),
  pod({ containers: [container({ ports: [{ containerPort: 80, name: "http" }, { containerPort: 81 }] })] }),
  pod({ containers: [container({ ports: [{ containerPort: 99999 }] })] }),
  pod({ containers: [container({ resources: { requests: { cpu: "0.5" }, limits: { cpu: "1", memory: "1Gi" } } })] }),
  pod({ containers: [container({ resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } })] }),
  pod({ containers: [container({ readinessProbe: { httpGet: { path: "/", port: 80 } } })] }),
  pod({ containers: [container({ volumeMounts: [{ name: "v", mountPath: "/v" }] })] }),
  pod({ volumes: [{ name: "v", emptyDir: {} }] }),
  pod({ volumes: [{ name: "v", configMap: { name: "c" } }] }),
  pod({ terminationGracePeriodSeconds: 5, nodeSelector: { a: "b" } }),
  pod({ securityContext: { runAsUser: 1000 }, serviceAccountName: "me" }),
  pod({ tolerations: [{ key: "a", operator: "Exists" }] }),
  pod({ restartPolicy: "Never" }),
  pod({ unknown: true }),
  { spec: { template: { metadata: { labels: { app: "web", more: "1" } } } } },
  { spec: { template: { metadata: { labels: { app: "nope" } } } } },
];
const REPLICAS: readonly Json[] = [
  { spec: { replicas: 2 } },
  { spec: { replicas: 0 } },
  { spec: { replicas: -1 } },
  { spec: { replicas: null } },
  { spec: { replicas: "3" } },
  { spec: { minReadySeconds: 5 } },
];

const workload = { base: { spec: { selector: { matchLabels: { app: "web" } }, template: template() } } };
const WORKLOAD_PATCHES: readonly Json[] = [
  ...META_PATCHES,
  { op: "replace", path: "/spec/replicas", value: 4 },
  { op: "add", path: "/spec/template/spec/containers/0/env", value: [{ name: "P", value: "1" }] },
  { op: "add", path: "/spec/template/spec/containers/-", value: { name: "late", image: "x" } },
  { op: "remove", path: "/spec/template/spec/containers/1" },
  { op: "replace", path: "/spec/template/spec/containers/0/image", value: "" },
];

const deployment: FuzzedKind = {
  kind: "Deployment",
  plural: "deployments",
  apiVersions: ["apps/v1"],
  ...workload,
  fragments: [
    ...TEMPLATES,
    ...REPLICAS,
    { spec: { strategy: { type: "Recreate" } } },
    { spec: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } } },
    { spec: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } } },
    { spec: { paused: true } },
    { spec: { progressDeadlineSeconds: 5 } },
    { spec: { revisionHistoryLimit: 3 } },
    { spec: { selector: { matchLabels: { app: "other" } } } },
    { status: { replicas: 9 } },
  ],
  statuses: [
    { status: { replicas: 2, readyReplicas: 1 } },
    { status: { observedGeneration: 1, availableReplicas: 1, replicas: 1, readyReplicas: 1 } },
    { status: { availableReplicas: -1 } },
    { status: { conditions: [{ type: "Available", status: "True", reason: "r", message: "m" }] } },
    { status: { conditions: [{ type: "Progressing", status: "False" }] } },
    { spec: { replicas: 7 }, status: { replicas: 1 } },
  ],
  jsonPatches: WORKLOAD_PATCHES,
  subresources: ["status", "scale"],
};

const replicaSet: FuzzedKind = {
  ...deployment,
  kind: "ReplicaSet",
  plural: "replicasets",
  fragments: [...TEMPLATES, ...REPLICAS, { spec: { selector: { matchLabels: { app: "other" } } } }],
  statuses: [
    { status: { replicas: 2, readyReplicas: 1 } },
    { status: { replicas: 1, fullyLabeledReplicas: 2 } },
    { status: { replicas: 1, observedGeneration: 1, conditions: [{ type: "ReplicaFailure", status: "True" }] } },
  ],
};

const podKind: FuzzedKind = {
  kind: "Pod",
  plural: "pods",
  apiVersions: ["v1"],
  base: { spec: { containers: [{ name: "main", image: "nginx:1.27" }] } },
  fragments: [
    ...TEMPLATES.flatMap(({ spec }) => (spec.template.spec ? [{ spec: spec.template.spec }] : [])),
    { spec: { nodeName: "node-1" } },
    { spec: { activeDeadlineSeconds: 10 } },
    { spec: { initContainers: [{ name: "init", image: "busybox" }] } },
    { spec: { schedulerName: "own" } },
    { spec: { priority: 5 } },
    { spec: { priority: 0 } },
    { spec: { preemptionPolicy: "Never" } },
  ],
  statuses: [
    { status: { phase: "Running", podIP: "192.0.2.9" } },
    { status: { conditions: [{ type: "Ready", status: "True" }] } },
    {
      status: {
        conditions: [
          { type: "PodScheduled", status: "True" },
          { type: "Ready", status: "False" },
        ],
      },
    },
    { status: { phase: "Succeeded" } },
    { status: { message: "m", reason: "r" } },
  ],
  jsonPatches: [
    ...META_PATCHES,
    { op: "replace", path: "/spec/containers/0/image", value: "nginx:2" },
    { op: "add", path: "/spec/tolerations/-", value: { key: "b", operator: "Exists" } },
    { op: "add", path: "/spec/containers/-", value: { name: "late", image: "x" } },
  ],
  subresources: ["status"],
};

const service: FuzzedKind = {
  kind: "Service",
  plural: "services",
  apiVersions: ["v1"],
  base: { spec: { ports: [{ port: 80 }] } },
  fragments: [
    { spec: { selector: { app: "web" } } },
    { spec: { selector: { app: "other", tier: "x" } } },
    { spec: { selector: null } },
    {
      spec: {
        ports: [
          { port: 80, name: "http" },
          { port: 443, name: "https", targetPort: "tls" },
        ],
      },
    },
    { spec: { ports: [{ port: 80, protocol: "UDP" }] } },
    { spec: { ports: [{ port: 80 }, { port: 81 }] } },
    { spec: { ports: [{ port: 0 }] } },
    { spec: { ports: [{ port: 80, targetPort: 8080 }] } },
    { spec: { clusterIP: "None" } },
    { spec: { sessionAffinity: "ClientIP" } },
    { spec: { type: "ExternalName", externalName: "example.com" } },
    { spec: { type: "Sideways" } },
    { spec: { publishNotReadyAddresses: true } },
    { spec: { externalIPs: ["192.0.2.3"] } },
    { spec: { internalTrafficPolicy: "Local" } },
  ],
  statuses: [
    { status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } } },
    { status: { conditions: [{ type: "a", status: "True", reason: "R", message: "", lastTransitionTime: null }] } },
    { spec: { selector: { a: "b" } }, status: {} },
  ],
  jsonPatches: [
    ...META_PATCHES,
    { op: "add", path: "/spec/ports/-", value: { name: "more", port: 90 } },
    { op: "replace", path: "/spec/ports/0/port", value: 82 },
    { op: "remove", path: "/spec/selector" },
  ],
  subresources: ["status"],
};

const autoscaler: FuzzedKind = {
  kind: "HorizontalPodAutoscaler",
  plural: "horizontalpodautoscalers",
  apiVersions: ["autoscaling/v2"],
  base: { spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" } } },
  fragments: [
    { spec: { maxReplicas: 5 } },
    { spec: { minReplicas: 2 } },
    { spec: { minReplicas: 9 } },
    { spec: { minReplicas: null } },
    { spec: { maxReplicas: 0 } },
    { spec: { metrics: [resourceMetric("cpu", 50)] } },
    { spec: { metrics: [resourceMetric("memory", 70), resourceMetric("cpu", 60)] } },
    { spec: { metrics: [{ type: "Resource" }] } },
    { spec: { behavior: { scaleDown: { stabilizationWindowSeconds: 60 } } } },
    { spec: { behavior: { scaleUp: { policies: [{ type: "Pods", value: 1, periodSeconds: 60 }] } } } },
    { spec: { behavior: { scaleUp: { policies: [] } } } },
    { spec: { behavior: { scaleDown: { policies: [{ type: "Sideways", value: 0, periodSeconds: 3000 }] } } } },
    { spec: { behavior: { scaleDown: { stabilizationWindowSeconds: 4000, selectPolicy: "Disabled" } } } },
    { spec: { scaleTargetRef: { name: "" } } },
  ],
  statuses: [
    { status: { currentReplicas: 1, desiredReplicas: 2, currentMetrics: null } },
    { status: { desiredReplicas: -1, currentReplicas: 1 } },
    { status: { conditions: [{ type: "ScalingActive", status: "True" }] } },
  ],
  jsonPatches: [...META_PATCHES, { op: "replace", path: "/spec/maxReplicas", value: 8 }],
  subresources: ["status"],
};

function resourceMetric(name: string, averageUtilization: number): Json {
  return { type: "Resource", resource: { name, target: { type: "Utilization", averageUtilization } } };
}

const role: FuzzedKind = {
  kind: "Role",
  plural: "roles",
  apiVersions: ["rbac.authorization.k8s.io/v1"],
  base: {},
  ...noSubresources,
  fragments: [
    { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] },
    { rules: [{ apiGroups: ["apps"], resources: ["deployments"], verbs: ["*"], resourceNames: ["a"] }] },
    { rules: [{ apiGroups: [""], resources: ["pods"], verbs: [] }] },
    { rules: [{ nonResourceURLs: ["/healthz"], verbs: ["get"] }] },
    { rules: [] },
    { rules: null },
  ],
  jsonPatches: [...META_PATCHES, { op: "add", path: "/rules/0/verbs/-", value: "list" }],
};

const lease: FuzzedKind = {
  kind: "Lease",
  plural: "leases",
  apiVersions: ["coordination.k8s.io/v1"],
  base: {},
  ...noSubresources,
  fragments: [
    { spec: { holderIdentity: "a", leaseDurationSeconds: 15 } },
    { spec: { holderIdentity: "b", leaseTransitions: 1 } },
    { spec: { leaseDurationSeconds: 0 } },
    { spec: { leaseTransitions: -1 } },
    { spec: { renewTime: "2026-01-02T03:04:05.678901Z" } },
    { spec: { acquireTime: "2026-01-02T03:04:05Z" } },
    { spec: { renewTime: "yesterday" } },
    { spec: null },
  ],
  jsonPatches: [...META_PATCHES, { op: "add", path: "/spec/holderIdentity", value: "c" }],
};

const budget: FuzzedKind = {
  kind: "PodDisruptionBudget",
  plural: "poddisruptionbudgets",
  apiVersions: ["policy/v1"],
  base: {},
  fragments: [
    { spec: { minAvailable: 1 } },
    { spec: { minAvailable: "50%" } },
    { spec: { maxUnavailable: 1, minAvailable: null } },
    { spec: { maxUnavailable: "150%" } },
    { spec: { selector: { matchLabels: { app: "web" } } } },
    { spec: { selector: { matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] } } },
    { spec: { selector: { matchExpressions: [{ key: "a", operator: "In" }] } } },
    { spec: { unhealthyPodEvictionPolicy: "AlwaysAllow" } },
  ],
  statuses: [
    { status: { disruptionsAllowed: 1, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, observedGeneration: 1 } },
    { status: { disruptionsAllowed: -1 } },
  ],
  jsonPatches: [...META_PATCHES, { op: "add", path: "/spec/minAvailable", value: 3 }],
  subresources: ["status"],
};

export const BUILT_INS: readonly FuzzedKind[] = [
  configMap,
  secret,
  deployment,
  replicaSet,
  podKind,
  service,
  autoscaler,
  role,
  lease,
  budget,
];
