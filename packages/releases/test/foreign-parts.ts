// What users may write into a release's opaque parts, with every field that the upstream project knows.

const key = { name: "credentials", key: "token", optional: true };
const either = { secret: key };
const tls = {
  ca: { configMap: key },
  cert: either,
  keySecret: key,
  serverName: "relay",
  insecureSkipVerify: true,
  minVersion: "TLS12",
  maxVersion: "TLS13",
};
const proxy = { proxyUrl: "http://proxy", noProxy: "local", proxyConnectHeader: { X: [key] } };
const span = "30s";
const policy = {
  policies: [{ type: "Pods", value: 1, periodSeconds: 60 }],
  selectPolicy: "Max",
  stabilizationWindowSeconds: 3,
  tolerance: "0.1",
};
const locality = { enabled: true, failover: [{ from: "a", to: "b" }], failoverPriority: ["zone"] };
const perPort = {
  connectionPool: {
    http: {
      h2UpgradePolicy: "UPGRADE",
      http1MaxPendingRequests: 1,
      http2KeepAlive: { interval: span, timeout: span },
      http2MaxRequests: 1,
      idleTimeout: span,
      maxConcurrentStreams: 1,
      maxRequestsPerConnection: 1,
      maxRetries: 1,
      useClientProtocol: true,
    },
    tcp: {
      connectTimeout: span,
      idleTimeout: span,
      maxConnectionDuration: span,
      maxConnections: 1,
      tcpKeepalive: { interval: span, probes: 1, time: span },
    },
  },
  loadBalancer: {
    consistentHash: {
      httpCookie: { name: "c", path: "/", ttl: span, attributes: [{ name: "a", value: "b" }] },
      maglev: { tableSize: 7 },
    },
    localityLbSetting: { ...locality, distribute: [{ from: "a", to: { b: 100 } }] },
    warmup: { duration: span, aggression: 1.5, minimumPercent: 10 },
    warmupDurationSecs: span,
    zoneAwareLbSetting: { ...locality, minClusterSize: 2 },
  },
  outlierDetection: {
    baseEjectionTime: span,
    consecutive5xxErrors: 1,
    consecutiveErrors: 1,
    consecutiveGatewayErrors: 1,
    consecutiveLocalOriginFailures: 1,
    interval: span,
    maxEjectionPercent: 10,
    minHealthPercent: 10,
    outlierDetectionHttpErrorCodes: [503],
    splitExternalLocalOriginErrors: true,
  },
  tls: {
    mode: "SIMPLE",
    caCertificates: "a",
    caCrl: "a",
    clientCertificate: "a",
    credentialName: "a",
    insecureSkipVerify: true,
    privateKey: "a",
    sni: "a",
    subjectAltNames: ["a"],
  },
};

export const trafficPolicy = {
  ...perPort,
  portLevelSettings: [{ ...perPort, port: { number: 80 } }],
  proxyProtocol: { version: "V2" },
  retryBudget: { budgetInterval: span, minRetryConcurrency: 1, percent: 20 },
  tunnel: { protocol: "CONNECT", targetHost: "a", targetPort: 80 },
};

const relabeling = {
  action: "HashMod",
  modulus: 7,
  regex: "a",
  replacement: "b",
  separator: ";",
  sourceLabels: ["a"],
  targetLabel: "b",
};

export const serviceMonitorSpec = {
  attachMetadata: { node: true },
  bodySizeLimit: "1MB",
  convertClassicHistogramsToNHCB: true,
  fallbackScrapeProtocol: "PrometheusProto",
  jobLabel: "job",
  keepDroppedTargets: 1,
  labelLimit: 1,
  labelNameLengthLimit: 1,
  labelValueLengthLimit: 1,
  nativeHistogramBucketLimit: 1,
  nativeHistogramMinBucketFactor: "1.5",
  podTargetLabels: ["a"],
  sampleLimit: 1,
  scrapeClass: "a",
  scrapeClassicHistograms: true,
  scrapeProtocols: ["PrometheusProto"],
  selector: { matchLabels: { app: "relay" }, matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] },
  selectorMechanism: "RoleSelector",
  targetLabels: ["a"],
  targetLimit: 1,
  endpoints: [
    {
      ...proxy,
      authorization: { type: "Bearer", credentials: key },
      basicAuth: { username: key, password: key },
      bearerTokenFile: "/token",
      bearerTokenSecret: key,
      enableHttp2: true,
      filterRunning: true,
      followRedirects: true,
      honorLabels: true,
      honorTimestamps: true,
      interval: span,
      metricRelabelings: [relabeling],
      oauth2: {
        ...proxy,
        clientId: either,
        clientSecret: key,
        endpointParams: { a: "b" },
        scopes: ["a"],
        tlsConfig: tls,
        tokenUrl: "http://token",
      },
      params: { a: ["b"] },
      path: "/metrics",
      port: "status",
      relabelings: [{ sourceLabels: ["a"] }],
      scheme: "http",
      scrapeTimeout: span,
      targetPort: 8080,
      tlsConfig: { ...tls, caFile: "a", certFile: "a", keyFile: "a" },
      trackTimestampsStaleness: true,
    },
  ],
};

const remote = {
  key: "relay",
  property: "a",
  version: "1",
  metadataPolicy: "Fetch",
  conversionStrategy: "Unicode",
  decodingStrategy: "Auto",
};
const template = { name: "templates", items: [{ key: "a", templateAs: "KeysAndValues" }] };

export const externalSecretSpec = {
  refreshInterval: "2h",
  refreshPolicy: "OnChange",
  secretStoreRef: { name: "vault", kind: "ClusterSecretStore" },
  data: [
    { secretKey: "a", remoteRef: remote, sourceRef: { storeRef: { name: "vault" } } },
    { secretKey: "b", remoteRef: { key: "b" } },
  ],
  dataFrom: [
    {
      find: { path: "a", name: { regexp: "b" }, tags: { a: "b" } },
      rewrite: [
        { regexp: { source: "a", target: "b" } },
        { transform: { template: "a" } },
        { merge: { priority: ["a"] } },
      ],
    },
    { sourceRef: { generatorRef: { kind: "Password", name: "a" } } },
  ],
  target: {
    name: "from-vault",
    immutable: true,
    creationPolicy: "Merge",
    template: {
      type: "Opaque",
      data: { a: "b" },
      metadata: { labels: { a: "b" }, annotations: { a: "b" }, finalizers: ["example.com/a"] },
      templateFrom: [{ configMap: template, secret: template, literal: "a", target: "Labels" }],
    },
  },
};

export const kedaSettings = {
  cooldownPeriod: 60,
  idleReplicaCount: 0,
  fallback: { failureThreshold: 3, replicas: 2, behavior: "currentReplicas" },
  advanced: {
    restoreToOriginalReplicaCount: true,
    horizontalPodAutoscalerConfig: { name: "a", behavior: { scaleDown: policy, scaleUp: policy } },
    scalingModifiers: { formula: "a + b", target: "5", activationTarget: "2", metricType: "Value" },
  },
};

export const fault = {
  abort: { httpStatus: 404, percentage: { value: 50 } },
  delay: { fixedDelay: span, percentage: { value: 0.5 }, percent: 5 },
};

export const alertRule = {
  alert: "Down",
  expr: 1,
  for: "1m",
  keep_firing_for: "1h30m",
  labels: { a: "b" },
  annotations: { a: "b" },
};
