// A release that needs an object of every kind: three revisions, each scaled in another way, in the ambient mesh.
import { type ServiceLevelObjective } from "@chaski/api";
import { resourceName } from "@chaski/kube";
import type { ClusterPlan } from "../src/plan/plan.ts";
import type { ReleasePlan } from "../src/objects/entries/build-entries.ts";
import { optionalKinds } from "../src/objects/kinds.ts";
import { configSource, echoApp, echoCluster, echoRevision, echoTarget } from "./echo.ts";

const NAMESPACE = "relay-production";

const ports = [
  { name: "http", mode: "private", containerPort: 8080, ingresses: ["private"] },
  { name: "status", mode: "local", port: 4242, containerPort: 4242 },
];

const objective: ServiceLevelObjective = {
  name: "availability",
  description: "answers without errors",
  enabled: true,
  objectivePercentString: "99.9",
  serviceLevelIndicator: {
    canary: { enabled: true, allowancePercentString: "1", failAfter: "1m" },
    totalQuery: "sum(rate(requests_total[2m])) by (tag)",
    errorQuery: 'sum(rate(requests_total{code=~"5.."}[2m])) by (tag)',
  },
};

const spec = { secretStoreRef: { name: "vault", kind: "SecretStore" }, dataFrom: [{ extract: { key: "relay" } }] };
const configs = [configSource("ExternalSecret", "vault", { spec: { ...spec, target: { name: "from-vault" } } })];

const byCpu = echoRevision({
  tag: "v1",
  target: echoTarget({
    ports,
    serviceLevelObjectives: [objective],
    resources: { requests: { cpu: "0.5", memory: "1024Mi" } },
    env: [{ name: "EMPTY", value: "" }],
  }),
  configs,
  hasCanaryRule: true,
  autoscaler: { type: "hpa", cpuPercent: 50, requestsRateMilli: 2500, requestsRateMetric: "istio_requests_rate" },
});

const byKeda = echoRevision({
  tag: "v2",
  target: echoTarget({
    ports,
    scale: {
      kedaWorker: { triggers: [{ type: "datadog", metadata: { datadogMetricName: "relay", targetValue: "5" } }] },
    },
  }),
  configs,
  autoscaler: { type: "keda", requestsRateMilli: 5000 },
});

const byQueue = echoRevision({
  tag: "v3",
  target: echoTarget({
    ports,
    scale: { worker: { queueUri: "https://sqs.example/q", targetMessagesPerWorker: 5, maxDisruption: "50%" } },
  }),
  configs,
  autoscaler: { type: "wpa" },
});

export function everything(changes: Partial<ClusterPlan> = {}): ReleasePlan {
  const app = echoApp({
    app: "relay",
    namespace: NAMESPACE,
    releaseManager: NAMESPACE,
    roleArn: "arn:aws:iam::123:role/relay",
    mesh: { mode: "ambient", waypoint: { minReplicas: 2, maxReplicas: 20, targetCpuPercent: 70 } },
    podDisruptionBudget: {},
    revisions: [byQueue, byKeda, byCpu],
    configs: configs.map((source) => ({ source, tag: "v3" })),
    routing: { ports, defaultIngressPorts: { private: "http" }, egressHosts: ["istio-system/*"], faults: [] },
    alertRules: [{ alert: "Down", expr: "up == 0" }],
    serviceMonitors: [{ name: "relay", sloRegex: false, spec: { endpoints: [{ port: "status" }] } }],
    objectives: [objective],
  });
  const cluster: ClusterPlan = {
    cluster: "local",
    spec: echoCluster(),
    served: optionalKinds.map(resourceName),
    revisions: [
      { tag: "v3", initialReplicas: 1, bounds: { min: 0, max: 3 } },
      { tag: "v2", initialReplicas: 2, bounds: { min: 1, max: 3 } },
      { tag: "v1", initialReplicas: 3, bounds: { min: 1, max: 3 } },
    ],
    endings: [],
    route: {
      weights: [{ tag: "v2", percent: 100 }],
      tagged: [{ tag: "v3", header: "relay-tag" }],
      subsets: [{ tag: "v2" }, { tag: "v3", trafficPolicy: { connectionPool: { tcp: { connectTimeout: "3s" } } } }],
      isUrgent: false,
    },
    owned: [],
    ...changes,
  };
  return { app, clusters: [cluster] };
}
