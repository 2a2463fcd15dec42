// The rules of built-in kinds that the project's objects can break.
import type { ConformanceCase } from "../case.ts";
import { samples, template } from "./samples.ts";

type Body = Readonly<Record<string, unknown>>;

const container = (more: Body = {}): Body => ({ name: "main", image: "nginx:1.27", ...more });
const podWith = (more: Body): Body => ({ spec: { containers: [container()], ...more } });
const podOf = (...containers: Body[]): Body => ({ spec: { containers } });
const workload = (more: Body = {}, pod: Body = {}): Body => ({
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [container()], ...pod } },
    ...more,
  },
});
const service = (more: Body): Body => ({ spec: { ports: [{ port: 80 }], ...more } });
const autoscaler = (more: Body): Body => ({
  spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" }, ...more },
});

const POD: Readonly<Record<string, Body>> = {
  "no containers": { spec: { containers: [] } },
  "no spec": {},
  "no image": podOf({ name: "a" }),
  "no container name": podOf({ image: "a" }),
  "a bad container name": podOf(container({ name: "A_b" })),
  "the same container twice": podOf(container(), container()),
  "a bad pull policy": podOf(container({ imagePullPolicy: "Sometimes" })),
  "a bad restart policy": podWith({ restartPolicy: "Perhaps" }),
  "a bad DNS policy": podWith({ dnsPolicy: "Perhaps" }),
  "a port out of range": podOf(container({ ports: [{ containerPort: 70_000 }] })),
  "no port number": podOf(container({ ports: [{ name: "http" }] })),
  "a bad port name": podOf(container({ ports: [{ name: "UPPER", containerPort: 80 }] })),
  "a bad protocol": podOf(container({ ports: [{ containerPort: 80, protocol: "ICMP" }] })),
  "the same port name twice": podOf(
    container({
      ports: [
        { name: "a", containerPort: 80 },
        { name: "a", containerPort: 81 },
      ],
    }),
  ),
  "an environment variable without a name": podOf(container({ env: [{ value: "a" }] })),
  "a variable with a value and a source": podOf(
    container({ env: [{ name: "a", value: "b", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }] }),
  ),
  "requests above limits": podOf(container({ resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } })),
  "a negative request": podOf(container({ resources: { requests: { cpu: "-1" } } })),
  "a bad quantity": podOf(container({ resources: { requests: { cpu: "lots" } } })),
  "quantities in other forms": podOf(
    container({ resources: { requests: { cpu: 0.5, memory: "1024Mi" }, limits: { cpu: "1000m", memory: "1.5Gi" } } }),
  ),
  "a probe without a handler": podOf(container({ readinessProbe: {} })),
  "probes with defaults": podOf(
    container({
      readinessProbe: { httpGet: { port: 80 } },
      livenessProbe: { tcpSocket: { port: "http" } },
      ports: [{ name: "http", containerPort: 80 }],
    }),
  ),
  "a liveness probe with a success threshold": podOf(
    container({ livenessProbe: { httpGet: { port: 80 }, successThreshold: 2 } }),
  ),
  "a mount without its volume": podOf(container({ volumeMounts: [{ name: "absent", mountPath: "/a" }] })),
  "volumes of several kinds": {
    spec: {
      volumes: [
        { name: "a" },
        { name: "b", secret: { secretName: "s" } },
        { name: "c", configMap: { name: "c" } },
        { name: "d", emptyDir: { sizeLimit: "1Gi" } },
      ],
      containers: [container({ volumeMounts: [{ name: "a", mountPath: "/a" }] })],
    },
  },
  "the same volume twice": podWith({
    volumes: [
      { name: "a", emptyDir: {} },
      { name: "a", emptyDir: {} },
    ],
  }),
  "a negative grace period": podWith({ terminationGracePeriodSeconds: -1 }),
  "a service account": podWith({ serviceAccountName: "builder" }),
  "tolerations of its own": podWith({ tolerations: [{ operator: "Exists" }] }),
  "limits alone": podOf(container({ resources: { limits: { cpu: "1", memory: "1Gi" } } })),
};

const DEPLOYMENT: Readonly<Record<string, Body>> = {
  "no selector": { spec: { template: template() } },
  "an empty selector": workload({ selector: {} }),
  "a selector that does not match": workload({ selector: { matchLabels: { app: "other" } } }),
  "a bad selector operator": workload({
    selector: { matchExpressions: [{ key: "app", operator: "Like", values: ["web"] }] },
  }),
  "a selector without values": workload({ selector: { matchExpressions: [{ key: "app", operator: "In" }] } }),
  "a selector with values that may not be": workload({
    selector: { matchExpressions: [{ key: "app", operator: "Exists", values: ["a"] }] },
  }),
  "no template": { spec: { selector: { matchLabels: { app: "web" } } } },
  "negative replicas": workload({ replicas: -1 }),
  "replicas as text": workload({ replicas: "3" }),
  "an unknown strategy": workload({ strategy: { type: "Magic" } }),
  "Recreate with rollingUpdate": workload({ strategy: { type: "Recreate", rollingUpdate: { maxSurge: 1 } } }),
  Recreate: workload({ strategy: { type: "Recreate" } }),
  "neither surge nor unavailable": workload({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
  "a bad percentage": workload({ strategy: { rollingUpdate: { maxSurge: "a lot" } } }),
  "more than all unavailable": workload({ strategy: { rollingUpdate: { maxUnavailable: "150%" } } }),
  "a negative surge": workload({ strategy: { rollingUpdate: { maxSurge: -1 } } }),
  "negative minReadySeconds": workload({ minReadySeconds: -1 }),
  "a deadline below minReadySeconds": workload({ minReadySeconds: 60, progressDeadlineSeconds: 30 }),
  "a negative history": workload({ revisionHistoryLimit: -1 }),
  "a pod that is not restarted": workload({}, { restartPolicy: "Never" }),
  "a bad label in the template": workload({
    template: { metadata: { labels: { app: "web", "-": "x" } }, spec: { containers: [container()] } },
  }),
  "a container without an image": workload({}, { containers: [{ name: "a" }] }),
};

const SERVICE: Readonly<Record<string, Body>> = {
  "no ports": { spec: {} },
  "an unknown type": service({ type: "Magic" }),
  "an external name": { spec: { type: "ExternalName", externalName: "example.com" } },
  "an external name without a name": { spec: { type: "ExternalName" } },
  headless: service({ clusterIP: "None" }),
  "headless without ports": { spec: { clusterIP: "None" } },
  "a bad cluster IP": service({ clusterIP: "nope" }),
  "a port out of range": service({ ports: [{ port: 0 }] }),
  "two ports without names": service({ ports: [{ port: 80 }, { port: 81 }] }),
  "the same port twice": service({
    ports: [
      { name: "a", port: 80 },
      { name: "b", port: 80 },
    ],
  }),
  "a bad target port": service({ ports: [{ port: 80, targetPort: "UPPER!" }] }),
  "a named target port": service({ ports: [{ name: "http", port: 80, targetPort: "web" }] }),
  "a bad protocol": service({ ports: [{ port: 80, protocol: "ICMP" }] }),
  "a node port on a cluster IP": service({ ports: [{ port: 80, nodePort: 30_080 }] }),
  "a bad session affinity": service({ sessionAffinity: "Forever" }),
  "session affinity": service({ sessionAffinity: "ClientIP" }),
  "a bad selector": service({ selector: { "-": "x" } }),
};

const AUTOSCALER: Readonly<Record<string, Body>> = {
  "no maximum": { spec: { scaleTargetRef: { kind: "Deployment", name: "web" } } },
  "a minimum above the maximum": autoscaler({ minReplicas: 5 }),
  "a minimum of zero": autoscaler({ minReplicas: 0 }),
  "no target name": autoscaler({ scaleTargetRef: { kind: "Deployment" } }),
  "a metric without a source": autoscaler({ metrics: [{ type: "Resource" }] }),
  "a metric without a target": autoscaler({
    metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization" } } }],
  }),
  "a utilization of zero": autoscaler({
    metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 0 } } }],
  }),
  "behaviour in part": autoscaler({
    behavior: { scaleUp: { policies: [{ type: "Pods", value: 1, periodSeconds: 60 }] } },
  }),
  "an external metric": autoscaler({
    metrics: [
      {
        type: "External",
        external: { metric: { name: "queue" }, target: { type: "AverageValue", averageValue: "10" } },
      },
    ],
  }),
};

const OTHERS: readonly (readonly [kind: string, name: string, body: Body])[] = [
  ["PodDisruptionBudget", "minimum and maximum", { spec: { minAvailable: 1, maxUnavailable: 1 } }],
  ["PodDisruptionBudget", "a bad percentage", { spec: { minAvailable: "most" } }],
  ["PodDisruptionBudget", "a negative minimum", { spec: { minAvailable: -1 } }],
  ["PodDisruptionBudget", "nothing at all", {}],
  ["Lease", "a duration of zero", { spec: { leaseDurationSeconds: 0 } }],
  ["Lease", "negative transitions", { spec: { leaseTransitions: -1 } }],
  ["Lease", "an empty holder", { spec: { holderIdentity: "" } }],
  ["Lease", "nothing at all", {}],
  ["Lease", "a bad time", { spec: { renewTime: "soon" } }],
  ["Role", "a rule without verbs", { rules: [{ apiGroups: [""], resources: ["pods"] }] }],
  ["Role", "a rule without groups", { rules: [{ resources: ["pods"], verbs: ["get"] }] }],
  ["Role", "a rule without resources", { rules: [{ apiGroups: [""], verbs: ["get"] }] }],
  ["Role", "paths in a namespace", { rules: [{ nonResourceURLs: ["/x"], verbs: ["get"] }] }],
  ["RoleBinding", "no role", { subjects: [] }],
  ["RoleBinding", "a role of another group", { roleRef: { apiGroup: "x", kind: "Role", name: "r" } }],
  [
    "RoleBinding",
    "a role of another kind",
    { roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Pod", name: "r" } },
  ],
  ["RoleBinding", "a subject without a name", { roleRef: { kind: "Role", name: "r" }, subjects: [{ kind: "User" }] }],
  [
    "RoleBinding",
    "a subject of another kind",
    { roleRef: { kind: "Role", name: "r" }, subjects: [{ kind: "Pod", name: "a" }] },
  ],
  [
    "RoleBinding",
    "an account without a namespace",
    { roleRef: { kind: "Role", name: "r" }, subjects: [{ kind: "ServiceAccount", name: "a" }] },
  ],
  ["Secret", "TLS without its keys", { type: "kubernetes.io/tls" }],
  ["Secret", "bad base64", { data: { a: "!" } }],
  ["Secret", "a bad key", { stringData: { "a/b": "x" } }],
  ["Secret", "an account token without an account", { type: "kubernetes.io/service-account-token" }],
  ["EndpointSlice", "no address type", {}],
  ["EndpointSlice", "an unknown address type", { addressType: "Pigeon" }],
  ["ControllerRevision", "a negative revision", { revision: -1, data: {} }],
  ["ControllerRevision", "no data", { revision: 1 }],
];

const TABLES: Readonly<Record<string, Readonly<Record<string, Body>>>> = {
  Pod: POD,
  Deployment: DEPLOYMENT,
  ReplicaSet: {
    "no selector": { spec: { template: template() } },
    "an empty selector": workload({ selector: {} }),
    "negative replicas": workload({ replicas: -1 }),
  },
  Service: SERVICE,
  HorizontalPodAutoscaler: AUTOSCALER,
};

const all = [
  ...Object.entries(TABLES).flatMap(([kind, table]) =>
    Object.entries(table).map(([name, body]) => [kind, name, body] as const),
  ),
  ...OTHERS,
];

export const invalidObjectCases: readonly ConformanceCase[] = all.map(([kind, name, body]) => ({
  name: `${kind} with ${name}`,
  run: async ({ api, path }) => {
    const sample = samples.find((candidate) => candidate.kind === kind);
    if (!sample) throw new Error(`no sample of ${kind}`);
    await api.post(path(sample.apiVersion, sample.plural), {
      apiVersion: sample.apiVersion,
      kind,
      metadata: { name: "one" },
      ...body,
    });
  },
}));
