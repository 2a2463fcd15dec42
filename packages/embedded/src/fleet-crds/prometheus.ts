// prometheus-operator and Sloth.
import { type Definition } from "./definition.ts";
import {
  atomicMap,
  boolean,
  byKey,
  choice,
  dateTime,
  int64,
  integer,
  intOrString,
  labelSelector,
  list,
  mapOf,
  number,
  object,
  quantity,
  required,
  string,
  stringMap,
  strings,
} from "./schema.ts";

const common = { group: "monitoring.coreos.com", categories: ["prometheus-operator"], versions: ["v1"] } as const;
const text = { ...string, minLength: 1 };
const span = {
  ...string,
  pattern: "^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$",
};

const alertOrRecord = object(
  {
    alert: string,
    annotations: stringMap,
    expr: intOrString,
    for: span,
    keep_firing_for: { ...span, minLength: 1 },
    labels: stringMap,
    record: string,
  },
  required("expr"),
);

const prometheusRule: Definition = {
  ...common,
  kind: "PrometheusRule",
  shortNames: ["promrule"],
  isSpecRequired: true,
  spec: object({
    groups: list(
      object(
        {
          interval: span,
          labels: stringMap,
          limit: integer,
          name: text,
          partial_response_strategy: { ...string, pattern: "^(?i)(abort|warn)?$" },
          query_offset: span,
          rules: list(alertOrRecord),
        },
        required("name"),
      ),
      byKey("name"),
    ),
  }),
};

const keyOf = object(
  { key: string, name: { ...string, default: "" }, optional: boolean },
  { ...required("key"), ...atomicMap },
);
const fromEither = object({ configMap: keyOf, secret: keyOf });
const proxy = {
  noProxy: string,
  proxyConnectHeader: mapOf(list(keyOf), atomicMap),
  proxyFromEnvironment: boolean,
  proxyUrl: { ...string, pattern: "^(http|https|socks5)://.+$" },
};
const tlsVersion = choice("TLS10", "TLS11", "TLS12", "TLS13");
const tls = {
  ca: fromEither,
  cert: fromEither,
  insecureSkipVerify: boolean,
  keySecret: keyOf,
  maxVersion: tlsVersion,
  minVersion: tlsVersion,
  serverName: string,
};

const ACTIONS = ["Replace", "Keep", "Drop", "HashMod", "LabelMap", "LabelDrop", "LabelKeep", "Lowercase", "Uppercase"];

const relabeling = object({
  action: {
    ...choice(...[...ACTIONS, "KeepEqual", "DropEqual"].flatMap((action) => [action.toLowerCase(), action])),
    default: "replace",
  },
  modulus: int64,
  regex: string,
  replacement: string,
  separator: string,
  sourceLabels: list({ ...string, pattern: "^[a-zA-Z_][a-zA-Z0-9_]*$" }),
  targetLabel: string,
});

const oauth2 = object(
  {
    ...proxy,
    clientId: fromEither,
    clientSecret: keyOf,
    endpointParams: stringMap,
    scopes: strings,
    tlsConfig: object(tls),
    tokenUrl: text,
  },
  required("clientId", "clientSecret", "tokenUrl"),
);

const endpoint = object({
  ...proxy,
  authorization: object({ credentials: keyOf, type: string }),
  basicAuth: object({ password: keyOf, username: keyOf }),
  bearerTokenFile: string,
  bearerTokenSecret: keyOf,
  enableHttp2: boolean,
  filterRunning: boolean,
  followRedirects: boolean,
  honorLabels: boolean,
  honorTimestamps: boolean,
  interval: span,
  metricRelabelings: list(relabeling),
  oauth2,
  params: mapOf(strings),
  path: string,
  port: string,
  relabelings: list(relabeling),
  scheme: choice("http", "https"),
  scrapeTimeout: span,
  targetPort: intOrString,
  tlsConfig: object({ ...tls, caFile: string, certFile: string, keyFile: string }),
  trackTimestampsStaleness: boolean,
});

const scrapeProtocol = choice(
  "PrometheusProto",
  "OpenMetricsText0.0.1",
  "OpenMetricsText1.0.0",
  "PrometheusText0.0.4",
  "PrometheusText1.0.0",
);

const serviceMonitor: Definition = {
  ...common,
  kind: "ServiceMonitor",
  shortNames: ["smon"],
  isSpecRequired: true,
  spec: object(
    {
      attachMetadata: object({ node: boolean }),
      bodySizeLimit: { ...string, pattern: "(^0|([0-9]*[.])?[0-9]+((K|M|G|T|E|P)i?)?B)$" },
      convertClassicHistogramsToNHCB: boolean,
      endpoints: list(endpoint),
      fallbackScrapeProtocol: scrapeProtocol,
      jobLabel: string,
      keepDroppedTargets: int64,
      labelLimit: int64,
      labelNameLengthLimit: int64,
      labelValueLengthLimit: int64,
      namespaceSelector: object({ any: boolean, matchNames: strings }),
      nativeHistogramBucketLimit: int64,
      nativeHistogramMinBucketFactor: quantity,
      podTargetLabels: strings,
      sampleLimit: int64,
      scrapeClass: text,
      scrapeClassicHistograms: boolean,
      scrapeProtocols: list(scrapeProtocol, { "x-kubernetes-list-type": "set" }),
      selector: labelSelector,
      selectorMechanism: choice("RelabelConfig", "RoleSelector"),
      targetLabels: strings,
      targetLimit: int64,
    },
    required("endpoints", "selector"),
  ),
  status: object({}),
};

const alert = object({ annotations: stringMap, disable: boolean, labels: stringMap });

const objective = object(
  {
    alerting: object({ annotations: stringMap, labels: stringMap, name: string, pageAlert: alert, ticketAlert: alert }),
    description: string,
    labels: stringMap,
    name: { ...string, maxLength: 128 },
    objective: number,
    sli: object({
      events: object({ errorQuery: string, totalQuery: string }, required("errorQuery", "totalQuery")),
      plugin: object({ id: string, options: stringMap }, required("id")),
      raw: object({ errorRatioQuery: string }, required("errorRatioQuery")),
    }),
  },
  required("alerting", "name", "objective", "sli"),
);

const prometheusServiceLevel: Definition = {
  group: "sloth.slok.dev",
  kind: "PrometheusServiceLevel",
  shortNames: ["psl", "pslo"],
  categories: ["slo", "slos", "sli", "slis"],
  versions: ["v1"],
  spec: object({ labels: stringMap, service: string, slos: list(objective, { minItems: 1 }) }, required("service")),
  status: object(
    {
      lastPromOpRulesSuccessfulGenerated: dateTime,
      observedGeneration: int64,
      processedSLOs: integer,
      promOpRulesGenerated: boolean,
      promOpRulesGeneratedSLOs: integer,
    },
    required("observedGeneration", "processedSLOs", "promOpRulesGenerated", "promOpRulesGeneratedSLOs"),
  ),
  columns: [
    ["SERVICE", "string", ".spec.service"],
    ["DESIRED SLOs", "integer", ".status.processedSLOs"],
    ["READY SLOs", "integer", ".status.promOpRulesGeneratedSLOs"],
    ["AGE", "date", ".metadata.creationTimestamp"],
  ],
};

export const PROMETHEUS: readonly Definition[] = [prometheusRule, serviceMonitor, prometheusServiceLevel];
