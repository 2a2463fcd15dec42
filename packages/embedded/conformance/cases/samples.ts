// One plain object of each kind, as small as the real server lets it be.
import type { KubeObject } from "@chaski/kube";

export interface Sample {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** A merge patch that the server accepts. */
  readonly change: Readonly<Record<string, unknown>>;
}

export const template = (labels: Record<string, string> = { app: "web" }): object => ({
  metadata: { labels },
  spec: { containers: [{ name: "main", image: "nginx:1.27" }] },
});

export const configMap = (name: string, more: object = {}): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...more },
  data: { a: "1" },
});
export const deployment = (more: object = {}): object => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "one" },
  spec: { selector: { matchLabels: { app: "web" } }, template: template(), ...more },
});

export const samples: readonly Sample[] = [
  {
    apiVersion: "v1",
    kind: "ConfigMap",
    plural: "configmaps",
    body: { data: { a: "1" } },
    change: { data: { a: "2" } },
  },
  {
    apiVersion: "v1",
    kind: "Secret",
    plural: "secrets",
    body: { stringData: { a: "1" }, data: { b: "Mg==" } },
    change: { stringData: { c: "3" } },
  },
  {
    apiVersion: "v1",
    kind: "Service",
    plural: "services",
    body: { spec: { selector: { app: "web" }, ports: [{ port: 80 }] } },
    change: { spec: { selector: { app: "other" } } },
  },
  {
    apiVersion: "v1",
    kind: "ServiceAccount",
    plural: "serviceaccounts",
    body: {},
    change: { automountServiceAccountToken: false },
  },
  {
    apiVersion: "v1",
    kind: "Pod",
    plural: "pods",
    body: { spec: { containers: [{ name: "main", image: "nginx" }] } },
    change: { metadata: { labels: { tier: "front" } } },
  },
  {
    apiVersion: "v1",
    kind: "Endpoints",
    plural: "endpoints",
    body: { subsets: [{ addresses: [{ ip: "192.0.2.1" }], ports: [{ port: 80 }] }] },
    change: { subsets: null },
  },
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    plural: "deployments",
    body: { spec: { selector: { matchLabels: { app: "web" } }, template: template() } },
    change: { spec: { replicas: 3 } },
  },
  {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    plural: "replicasets",
    body: { spec: { selector: { matchLabels: { app: "web" } }, template: template() } },
    change: { spec: { replicas: 0 } },
  },
  {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    plural: "controllerrevisions",
    body: { revision: 1, data: { a: 1 } },
    change: { revision: 2 },
  },
  {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    plural: "horizontalpodautoscalers",
    body: { spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" } } },
    change: { spec: { maxReplicas: 5, behavior: { scaleDown: { stabilizationWindowSeconds: 60 } } } },
  },
  {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    plural: "poddisruptionbudgets",
    body: { spec: { minAvailable: 1, selector: { matchLabels: { app: "web" } } } },
    change: { spec: { minAvailable: "50%" } },
  },
  {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    plural: "leases",
    body: { spec: { holderIdentity: "me", leaseDurationSeconds: 15, renewTime: "2026-01-02T03:04:05.678901Z" } },
    change: { spec: { leaseTransitions: 1 } },
  },
  {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    plural: "endpointslices",
    body: {
      addressType: "IPv4",
      endpoints: [{ addresses: ["192.0.2.1"], conditions: { ready: true } }],
      ports: [{ port: 80 }],
    },
    change: { endpoints: [{ addresses: ["192.0.2.2"] }] },
  },
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    plural: "roles",
    body: { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] },
    change: { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["list"] }] },
  },
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    plural: "rolebindings",
    body: {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" },
      subjects: [
        { kind: "User", name: "alice" },
        { kind: "ServiceAccount", name: "a", namespace: "b" },
      ],
    },
    change: { subjects: null },
  },
];

export function objectOf({ apiVersion, kind, body }: Sample, name: string): KubeObject & Record<string, unknown> {
  return { apiVersion, kind, metadata: { name }, ...body };
}
