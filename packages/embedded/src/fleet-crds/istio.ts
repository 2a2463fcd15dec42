import { AGE, type Definition } from "./definition.ts";
import { duration, trafficPolicy } from "./istio-traffic-policy.ts";
import {
  atMostOne,
  boolean,
  choice,
  int32,
  list,
  mapOf,
  nullable,
  number,
  object,
  required,
  rule,
  rules,
  string,
  stringMap,
  strings,
  uint32,
} from "./schema.ts";

const common = {
  group: "networking.istio.io",
  categories: ["istio-io", "networking-istio-io"],
  versions: ["v1", "v1alpha3", "v1beta1"],
  status: object({}, { "x-kubernetes-preserve-unknown-fields": true }),
} as const;

const destinationRule: Definition = {
  ...common,
  kind: "DestinationRule",
  shortNames: ["dr"],
  columns: [["Host", "string", ".spec.host"], AGE],
  spec: object(
    {
      exportTo: strings,
      host: string,
      subsets: list(object({ name: string, labels: stringMap, trafficPolicy }, required("name"))),
      trafficPolicy,
    },
    required("host"),
  ),
};

const textMatch = object({ exact: string, prefix: string, regex: string }, atMostOne("exact", "prefix", "regex"));
const percentage = object({ value: { ...number, format: "double" } });

const fault = object({
  abort: object(
    { grpcStatus: string, http2Error: string, httpStatus: int32, percentage },
    atMostOne("httpStatus", "grpcStatus", "http2Error"),
  ),
  delay: object(
    { exponentialDelay: duration, fixedDelay: duration, percent: int32, percentage },
    atMostOne("fixedDelay", "exponentialDelay"),
  ),
});

const httpRoute = object({
  name: string,
  match: list(
    object({
      authority: textMatch,
      gateways: strings,
      headers: mapOf(textMatch),
      method: textMatch,
      name: string,
      port: uint32,
      uri: textMatch,
    }),
  ),
  route: list(
    object(
      {
        destination: object({ host: string, port: object({ number: uint32 }), subset: string }, required("host")),
        weight: int32,
      },
      required("destination"),
    ),
  ),
  timeout: duration,
  retries: object({
    attempts: int32,
    backoff: duration,
    perTryTimeout: duration,
    retryIgnorePreviousHosts: nullable(boolean),
    retryOn: string,
    retryRemoteLocalities: nullable(boolean),
  }),
  fault,
});

const virtualService: Definition = {
  ...common,
  kind: "VirtualService",
  shortNames: ["vs"],
  columns: [["Gateways", "string", ".spec.gateways"], ["Hosts", "string", ".spec.hosts"], AGE],
  spec: object({ exportTo: strings, gateways: strings, hosts: strings, http: list(httpRoute) }),
};

const sidecar: Definition = {
  ...common,
  kind: "Sidecar",
  spec: object({
    egress: list(
      object(
        {
          bind: string,
          captureMode: choice("DEFAULT", "IPTABLES", "NONE"),
          hosts: strings,
          port: object({ name: string, number: uint32, protocol: string, targetPort: uint32 }),
        },
        required("hosts"),
      ),
    ),
    workloadSelector: object({
      labels: mapOf(
        { ...string, maxLength: 63, ...rules(rule("wildcard is not supported in selector", '!self.contains("*")')) },
        { maxProperties: 256 },
      ),
    }),
  }),
};

export const ISTIO: readonly Definition[] = [destinationRule, virtualService, sidecar];
