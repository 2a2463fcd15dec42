// networking.istio.io TrafficPolicy, whole: users write it into their revisions.
import {
  atMostOne,
  boolean,
  choice,
  int32,
  integer,
  list,
  mapOf,
  nullable,
  number,
  object,
  required,
  rule,
  rules,
  type Schema,
  string,
  strings,
  uint32,
} from "./schema.ts";

export const duration: Schema = {
  type: "string",
  ...rules(rule("must be a valid duration greater than 1ms", "duration(self) >= duration('1ms')")),
};
const double = { ...number, format: "double" };
const size = { ...integer, minimum: 0 };
const percentage = nullable({ ...double, minimum: 0, maximum: 100 });

const connectionPool = object({
  http: object({
    h2UpgradePolicy: choice("DEFAULT", "DO_NOT_UPGRADE", "UPGRADE"),
    http1MaxPendingRequests: int32,
    http2KeepAlive: object({ interval: duration, timeout: duration }),
    http2MaxRequests: int32,
    idleTimeout: duration,
    maxConcurrentStreams: int32,
    maxRequestsPerConnection: int32,
    maxRetries: int32,
    useClientProtocol: boolean,
  }),
  tcp: object({
    connectTimeout: duration,
    idleTimeout: string,
    maxConnectionDuration: duration,
    maxConnections: int32,
    tcpKeepalive: object({ interval: duration, probes: uint32, time: duration }),
  }),
});

const consistentHash = object(
  {
    httpCookie: object(
      {
        attributes: list(object({ name: string, value: string }, required("name"))),
        name: string,
        path: string,
        ttl: string,
      },
      required("name"),
    ),
    httpHeaderName: string,
    httpQueryParameterName: string,
    maglev: object({ tableSize: size }),
    minimumRingSize: size,
    ringHash: object({ minimumRingSize: size }),
    useSourceIp: boolean,
  },
  {
    allOf: [
      atMostOne("httpHeaderName", "httpCookie", "useSourceIp", "httpQueryParameterName"),
      atMostOne("ringHash", "maglev"),
    ],
  },
);

const locality = {
  enabled: nullable(boolean),
  failover: list(object({ from: string, to: string })),
  failoverPriority: strings,
};

const loadBalancer = object(
  {
    consistentHash,
    localityLbSetting: object({ ...locality, distribute: list(object({ from: string, to: mapOf(uint32) })) }),
    simple: choice("UNSPECIFIED", "LEAST_CONN", "RANDOM", "PASSTHROUGH", "ROUND_ROBIN", "LEAST_REQUEST"),
    warmup: object(
      { aggression: nullable({ ...double, minimum: 0 }), duration, minimumPercent: percentage },
      required("duration"),
    ),
    warmupDurationSecs: duration,
    zoneAwareLbSetting: object({ ...locality, minClusterSize: nullable({ ...uint32, minimum: 1 }) }),
  },
  atMostOne("simple", "consistentHash"),
);

const outlierDetection = object({
  baseEjectionTime: duration,
  consecutive5xxErrors: nullable(uint32),
  consecutiveErrors: int32,
  consecutiveGatewayErrors: nullable(uint32),
  consecutiveLocalOriginFailures: nullable(uint32),
  interval: duration,
  maxEjectionPercent: int32,
  minHealthPercent: int32,
  outlierDetectionHttpErrorCodes: list({ ...integer, minimum: 100, maximum: 599 }),
  splitExternalLocalOriginErrors: boolean,
});

const tls = object({
  caCertificates: string,
  caCrl: string,
  clientCertificate: string,
  credentialName: string,
  insecureSkipVerify: nullable(boolean),
  mode: choice("DISABLE", "SIMPLE", "MUTUAL", "ISTIO_MUTUAL"),
  privateKey: string,
  sni: string,
  subjectAltNames: strings,
});

const perPort = { connectionPool, loadBalancer, outlierDetection, tls };

export const trafficPolicy = object({
  ...perPort,
  portLevelSettings: list(object({ ...perPort, port: object({ number: uint32 }) }), { maxItems: 4096 }),
  proxyProtocol: object({ version: choice("V1", "V2") }),
  retryBudget: object({ budgetInterval: string, minRetryConcurrency: uint32, percent: percentage }),
  tunnel: object({ protocol: string, targetHost: string, targetPort: uint32 }, required("targetHost", "targetPort")),
});
