import { isObject, type JsonObject, own } from "../schema/json.ts";
import { asText } from "../codec/text.ts";

type FieldReader = (object: JsonObject) => string;

/** The text at a path; empty when there is nothing. */
export function textAt(object: unknown, path: readonly string[]): string {
  let value: unknown = object;
  for (const segment of path) value = isObject(value) ? own(value, segment) : undefined;
  return asText(value);
}

const at = (path: string): FieldReader => {
  const segments = path.split(".");
  return (object) => textAt(object, segments);
};

function plainFields(...paths: string[]): Map<string, FieldReader> {
  return new Map(paths.map((path) => [path, at(path)]));
}

const FIELDS: Readonly<Record<string, () => Map<string, FieldReader>>> = {
  "/Pod": () =>
    plainFields(
      "spec.nodeName",
      "spec.restartPolicy",
      "spec.schedulerName",
      "spec.serviceAccountName",
      "status.phase",
      "status.podIP",
      "status.podIPs",
      "status.nominatedNodeName",
    ).set("spec.hostNetwork", (pod) => textAt(pod, ["spec", "hostNetwork"]) || "false"),
  "/Node": () =>
    new Map([["spec.unschedulable", (node: JsonObject) => textAt(node, ["spec", "unschedulable"]) || "false"]]),
  "/Namespace": () => plainFields("status.phase"),
  "/Secret": () => plainFields("type"),
  "/Service": () => plainFields("spec.clusterIP", "spec.type"),
  "/Event": () =>
    plainFields(
      "involvedObject.kind",
      "involvedObject.namespace",
      "involvedObject.name",
      "involvedObject.uid",
      "involvedObject.apiVersion",
      "involvedObject.resourceVersion",
      "involvedObject.fieldPath",
      "reason",
      "reportingComponent",
      "type",
    ).set("source", (event) => textAt(event, ["source", "component"]) || textAt(event, ["reportingComponent"])),
  "apps/ReplicaSet": () => plainFields("status.replicas"),
};

export function selectableFieldsOf(group: string, kind: string): ReadonlyMap<string, FieldReader> {
  return FIELDS[`${group}/${kind}`]?.() ?? new Map();
}
