// Manifests as people write them for Picchu, with every field that it has. None may lose anything.
import type { KubeObject } from "@chaski/kube";

interface Manifest extends KubeObject {
  readonly spec: Readonly<Record<string, unknown>>;
}

function manifest(kind: string, name: string, spec: Manifest["spec"], metadata: object = {}): Manifest {
  return { apiVersion: "picchu.medium.engineering/v1alpha1", kind, metadata: { name, ...metadata }, spec };
}

const pods = {
  sidecars: [
    { name: "proxy", image: "example/proxy", ports: [{ containerPort: 9000 }], securityContext: { runAsUser: 1 } },
  ],
  env: [{ name: "POD_IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } }],
  volumes: [
    { name: "scratch", emptyDir: { sizeLimit: "1Gi" } },
    { name: "projected", projected: { sources: [{ serviceAccountToken: { path: "token", audience: "vault" } }] } },
  ],
  volumeMounts: [{ name: "scratch", mountPath: "/scratch", subPathExpr: "$(POD_IP)" }],
  resources: { requests: { cpu: "100m", memory: 134217728 }, limits: { memory: "1Gi" }, claims: [{ name: "gpu" }] },
  livenessProbe: { grpc: { port: 9000, service: "health" }, terminationGracePeriodSeconds: 5 },
  readinessProbe: { httpGet: { path: "/ready", port: "status", httpHeaders: [{ name: "X", value: "y" }] } },
  lifecycle: { preStop: { sleep: { seconds: 5 } } },
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "In", values: ["a"] }] }],
      },
    },
  },
  priorityClassName: "high",
  tolerations: [{ key: "spot", operator: "Exists", effect: "NoSchedule", tolerationSeconds: 30 }],
  schedulerName: "packer",
  topologySpreadConstraint: {
    maxSkew: 1,
    topologyKey: "zone",
    whenUnsatisfiable: "DoNotSchedule",
    labelSelector: { matchLabels: { app: "echo" } },
    matchLabelKeys: ["version"],
    nodeTaintsPolicy: "Honor",
  },
  podAnnotations: { "go.medium.engineering/PodTerminationGracePeriodSeconds": "90" },
  karpenterDoNotDisrupt: "30m",
  serviceAccountName: "echo",
  podDisruptionBudget: { maxUnavailable: "10%", unhealthyPodEvictionPolicy: "AlwaysAllow" },
};

const trafficPolicy = {
  loadBalancer: {
    consistentHash: { httpCookie: { name: "user", ttl: "0s" }, maglev: { tableSize: 1009 } },
    localityLbSetting: { failover: [{ from: "us-east", to: "us-west" }] },
    warmup: { duration: "30s", aggression: 1.5 },
  },
  connectionPool: { tcp: { connectTimeout: "30ms" }, http: { idleTimeout: "3.5s", h2UpgradePolicy: "UPGRADE" } },
  outlierDetection: { interval: "5m", baseEjectionTime: "15m", consecutive5xxErrors: 7 },
  tls: { mode: "ISTIO_MUTUAL" },
};

const mesh = {
  defaultIngressPorts: { private: "http", public: "http" },
  ports: [
    {
      name: "http",
      mode: "public",
      hosts: ["echo.example"],
      ingressPort: 443,
      port: 80,
      containerPort: 8080,
      protocol: "TCP",
      default: true,
      ingresses: ["private", "public"],
      istio: { http: { retries: { attempts: 2, perTryTimeout: "3ms", retryOn: "5xx" }, timeout: "1s" } },
    },
    { name: "status", mode: "local", port: 4242, containerPort: 4242 },
  ],
  istio: { trafficPolicy, sidecar: { egressHosts: ["istio-system/*", "./*"] } },
  ambientMesh: true,
  waypointHPA: { minReplicas: 2, maxReplicas: 20, targetCPUUtilizationPercentage: 70 },
  waypointResources: { requests: { cpu: "100m" }, limits: { memory: "1Gi" } },
};

const objective = {
  name: "availability",
  description: "answers without errors",
  enabled: true,
  objectivePercentString: "99.9",
  serviceLevelIndicator: {
    canary: { enabled: true, allowancePercentString: "1", allowancePercent: 1.5, failAfter: "1m" },
    tagKey: "destination_workload",
    alertAfter: "1m",
    totalQuery: "sum(rate(requests_total[2m]))",
    errorQuery: 'sum(rate(requests_total{code=~"5.."}[2m]))',
  },
  serviceLevelObjectiveLabels: {
    alertLabels: { a: "1" },
    ruleLabels: { r: "2" },
    serviceLevelLabels: { is_grpc: "true" },
  },
  alerting: {
    name: "echo-availability",
    labels: { slo: "true" },
    annotations: { runbook: "https://runbook.example" },
    pageAlert: { labels: { severity: "page" }, annotations: { a: "b" } },
    ticketAlert: { disable: true },
  },
};

const target = {
  name: "production",
  fleet: "production",
  scale: {
    min: 4,
    default: 4,
    max: 40,
    minReadySeconds: 5,
    targetCPUUtilizationPercentage: 70,
    targetMemoryUtilizationPercentage: null,
    targetRequestsRate: "2500m",
    requestsRateMetric: "istio_requests_rate",
  },
  release: {
    eligible: true,
    max: 100,
    scalingStrategy: "geometric",
    geometricScaling: { start: 10, factor: 2, delay: "10s" },
    linearScaling: { increment: 5, delay: "1m0s" },
    schedule: "humane",
    ttl: 432000,
  },
  datadogMonitoring: { enabled: true },
  serviceMonitors: [
    {
      name: "echo",
      sloRegex: true,
      annotations: { note: "x" },
      labels: { prometheus: "main" },
      spec: {
        endpoints: [
          {
            port: "status",
            interval: "15s",
            bearerTokenSecret: { key: "" },
            metricRelabelings: [{ action: "keep", sourceLabels: ["__name__"] }],
            oauth2: {
              clientId: { secret: { name: "s", key: "k" } },
              clientSecret: { name: "s", key: "k" },
              tokenUrl: "https://x.example",
            },
          },
        ],
        selector: { matchLabels: { app: "echo" } },
        sampleLimit: 1000,
      },
    },
  ],
  serviceLevelObjectives: [objective],
  serviceLevelObjectiveLabels: { alertLabels: { team: "echo" } },
  acceptanceTarget: true,
  configSelector: { matchExpressions: [{ key: "app", operator: "In", values: ["echo"] }] },
  aws: { iam: { role_arn: "arn:aws:iam::123:role/echo" } },
  alertRules: [{ alert: "Down", expr: "up == 0", for: "5m", keep_firing_for: "1m", labels: { a: "b" } }],
  externalTest: {
    enabled: true,
    started: false,
    completed: false,
    timeout: "2h0m0s",
    lastUpdated: "2026-08-01T00:00:00Z",
  },
  canary: { percent: 10, ttl: 600 },
  ...pods,
  ...mesh,
};

const worker = {
  name: "worker",
  fleet: "production",
  scale: {
    max: 10,
    worker: {
      queueUri: "https://sqs.example/q",
      targetMessagesPerWorker: 5,
      secondsToProcessOneJobString: "0.5",
      maxDisruption: "50%",
    },
  },
  configSelector: {},
};

const keda = {
  name: "keda",
  fleet: "production",
  scale: {
    min: 0,
    max: 10,
    kedaWorker: {
      triggers: [
        {
          type: "aws-sqs-queue",
          name: "queue",
          metadata: { queueURL: "https://sqs.example/q", queueLength: "5" },
          metricType: "AverageValue",
          useCachedMetrics: true,
          authenticationRef: { name: "own", kind: "ClusterTriggerAuthentication" },
        },
      ],
      cooldownPeriod: 60,
      idleReplicaCount: 0,
      minReplicaCount: 1,
      maxReplicaCount: 2,
      awsEksAuth: true,
      advanced: {
        horizontalPodAutoscalerConfig: { behavior: { scaleDown: { stabilizationWindowSeconds: 300 } } },
        scalingModifiers: { formula: "queue * 2", target: "5", activationTarget: "1" },
      },
      fallback: { failureThreshold: 3, replicas: 6, behavior: "currentReplicas" },
    },
  },
};

export const revision = manifest(
  "Revision",
  "echo-v1",
  {
    app: { name: "echo", ref: "main", tag: "v1", image: "example/echo:v1" },
    targets: [target, worker, keda],
    failed: false,
    ignoreSLOs: true,
    canaryWithSLIRules: true,
    sentry: { release: true },
    tagRoutingHeader: "echo-tag",
    disableMirroring: true,
    eventDriven: true,
  },
  { annotations: { "git-scm.com/committer-timestamp": "2026-08-01T00:00:00Z" } },
);

export const manifests: readonly Manifest[] = [
  revision,
  manifest("ReleaseManager", "echo-production", {
    fleet: "production",
    app: "echo",
    target: "production",
    variants: [{ name: "v", enabled: true }],
  }),
  manifest(
    "Cluster",
    "east",
    {
      enabled: true,
      hotStandby: true,
      config: { server: "https://east.example", "certificate-authority-data": "Y2E=" },
      scalingFactorString: "0.5",
      ingresses: {
        public: { dnsName: "public.example", gateway: "public", defaultDomains: ["example.com"] },
        private: { dnsName: "private.example", gateway: "private", defaultDomains: [] },
      },
      enableDevRoutes: true,
      devRouteTagTemplate: "dev-{{.App}}-tag",
      disableEventDriven: true,
    },
    { labels: { "picchu.medium.engineering/fleet": "production" } },
  ),
  manifest("ClusterSecrets", "secrets", {
    source: { namespace: "secrets", labelSelector: "a=b", fieldSelector: "type=Opaque" },
    target: { namespace: "picchu", labelSelector: "fleet=production", labels: { a: "b" }, annotations: { c: "d" } },
  }),
  manifest("Mirror", "other", {
    clusterName: "other",
    additionalConfigSelectors: [{ namespace: "x", labelSelector: "a=b", appLabelName: "app", tagLabelName: "tag" }],
  }),
  manifest(
    "FaultInjector",
    "faults",
    {
      httpPortFaults: [
        {
          portSelector: { number: 80 },
          fault: {
            abort: { httpStatus: 404, percentage: { value: 50 } },
            delay: { fixedDelay: "3s", percent: 10, percentage: { value: 0.1 } },
          },
        },
      ],
    },
    { labels: { "picchu.medium.engineering/app": "echo", "picchu.medium.engineering/target": "production" } },
  ),
];
