// Custom resources for the fuzzer: every kind of list and map, defaults, rules, two versions, subresources.
import { CRDS, WIDGET_STATUS, WIDGET_SUBRESOURCES } from "../cases/widgets.ts";
import { Requests } from "../requests.ts";
import type { Servers } from "../run.ts";
import { untilServed } from "../waiting.ts";
import type { FuzzedKind } from "./kinds.ts";
import type { Json } from "./json.ts";

const SPEC = {
  type: "object",
  "x-kubernetes-validations": [
    { rule: "!has(self.low) || !has(self.size) || self.low <= self.size", message: "low is above size" },
  ],
  properties: {
    size: { type: "integer", minimum: 0, maximum: 10 },
    low: { type: "integer" },
    color: { type: "string", enum: ["red", "green"], default: "red" },
    name: { type: "string", maxLength: 5, pattern: "^[a-z]+$", nullable: true },
    fixed: { type: "string", "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "never changes" }] },
    tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
    plain: { type: "array", items: { type: "integer" } },
    ports: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port", "protocol"],
      items: {
        type: "object",
        required: ["port"],
        properties: {
          port: { type: "integer" },
          protocol: { type: "string", default: "TCP" },
          note: { type: "string" },
        },
      },
    },
    limit: { "x-kubernetes-int-or-string": true },
    extra: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    labels: { type: "object", additionalProperties: { type: "string" } },
    whole: { type: "object", "x-kubernetes-map-type": "atomic", additionalProperties: { type: "string" } },
    nested: { type: "object", default: {}, properties: { deep: { type: "boolean", default: true } } },
  },
};

const FRAGMENTS: readonly Json[] = [
  { spec: { size: 1 } },
  { spec: { size: 4 } },
  { spec: { size: 11 } },
  { spec: { size: "2" } },
  { spec: { low: 2 } },
  { spec: { low: 3, size: 3 } },
  { spec: { color: "green" } },
  { spec: { color: "blue" } },
  { spec: { color: null } },
  { spec: { name: "abc" } },
  { spec: { name: "ABCDEF" } },
  { spec: { fixed: "a" } },
  { spec: { fixed: "b" } },
  { spec: { tags: ["a", "b"] } },
  { spec: { tags: ["b", "c"] } },
  { spec: { tags: ["a", "a"] } },
  { spec: { tags: [] } },
  { spec: { plain: [1, 2] } },
  { spec: { plain: [2] } },
  { spec: { ports: [{ port: 80 }] } },
  { spec: { ports: [{ port: 80, protocol: "UDP", note: "x" }, { port: 81 }] } },
  { spec: { ports: [{ port: 80, note: "y" }] } },
  { spec: { ports: [{ port: 80 }, { port: 80, protocol: "TCP" }] } },
  { spec: { ports: [{ protocol: "TCP" }] } },
  { spec: { ports: null } },
  { spec: { limit: "50%" } },
  { spec: { limit: 5 } },
  { spec: { limit: true } },
  { spec: { extra: { a: { b: 1 }, list: [1, { c: 2 }] } } },
  { spec: { extra: { a: "text" } } },
  { spec: { labels: { a: "1" } } },
  { spec: { labels: { a: "2", b: "1" } } },
  { spec: { labels: {} } },
  { spec: { whole: { a: "1" } } },
  { spec: { whole: { b: "1" } } },
  { spec: { nested: { deep: false } } },
  { spec: { nested: null } },
  { spec: { unknown: { a: 1 } } },
  { status: { phase: "sneaked" } },
  { spec: null },
];

const JSON_PATCHES: readonly Json[] = [
  { op: "add", path: "/spec/tags/-", value: "z" },
  { op: "add", path: "/spec/tags", value: ["q"] },
  { op: "remove", path: "/spec/color" },
  { op: "replace", path: "/spec/size", value: 7 },
  { op: "test", path: "/spec/size", value: 1 },
  { op: "move", from: "/spec/labels", path: "/spec/whole" },
  { op: "copy", from: "/spec/size", path: "/spec/low" },
  { op: "add", path: "/metadata/labels", value: { app: "web" } },
  { op: "add", path: "/spec/ports/0", value: { port: 90 } },
  { op: "remove", path: "/metadata/finalizers" },
  { op: "remove", path: "/metadata/managedFields" },
];

const STATUSES: readonly Json[] = [
  { status: { phase: "ready" } },
  { status: { replicas: 2, selector: "a=b" } },
  { status: { replicas: "two" } },
  { status: null },
  { spec: { size: 9 }, status: { phase: "mixed" } },
];

interface Definition {
  readonly kind: string;
  readonly subresources: Json;
  readonly versions: readonly string[];
}

const DEFINITIONS: readonly Definition[] = [
  { kind: "Plain", subresources: {}, versions: ["v1"] },
  { kind: "Widget", subresources: WIDGET_SUBRESOURCES, versions: ["v1", "v2"] },
];

/** On both servers; served when this returns. */
export async function establishDefinitions({ embedded, real }: Servers, run: string): Promise<FuzzedKind[]> {
  const group = `${run}.fuzz.example.com`;
  const apis = [new Requests(embedded), new Requests(real)];
  await Promise.all(apis.flatMap((api) => DEFINITIONS.map((definition) => establish(api, group, definition))));
  return DEFINITIONS.map(({ kind, versions, subresources }) => ({
    kind,
    plural: `${kind.toLowerCase()}s`,
    apiVersions: versions.map((version) => `${group}/${version}`) as [string, ...string[]],
    base: { spec: { labels: { base: "1" } } },
    fragments: FRAGMENTS,
    statuses: STATUSES,
    jsonPatches: JSON_PATCHES,
    isCustom: true,
    subresources: Object.keys(subresources as object),
  }));
}

async function establish(api: Requests, group: string, { kind, versions, subresources }: Definition): Promise<void> {
  const plural = `${kind.toLowerCase()}s`;
  await api.post(CRDS, {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, kind },
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: { type: "object", properties: { spec: SPEC, status: WIDGET_STATUS } } },
        subresources: subresources as object,
      })),
    },
  });
  await untilServed(
    api,
    versions.map((version) => `/apis/${group}/${version}/${plural}`),
  );
}
