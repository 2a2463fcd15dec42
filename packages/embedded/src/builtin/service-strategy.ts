import type { Preparation, Strategy } from "../registry/strategy.ts";
import { invalid } from "../errors/api-error.ts";
import type { Cause } from "../schema/cause.ts";
import { equalJson, type JsonObject } from "../schema/json.ts";
import { forbidden, required } from "../schema/field-error.ts";
import { duplicate, immutable, invalidValue, notSupported } from "./causes.ts";
import { at, fill, numberAt, objectAt, objectsAt, stringAt, stringsAt } from "../schema/fields.ts";
import { dns1123LabelProblems } from "@chaski/kube";
import { labelProblems } from "./metadata-validation.ts";
import { portNameProblems, portProblems } from "./pod-validation.ts";
import { asText } from "../codec/text.ts";

const TYPES = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];

const ADDRESSES = ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"];

export const serviceStrategy: Strategy = {
  setDefaults: (service) => {
    const spec = objectAt(service, "spec") ?? {};
    fill(spec, { sessionAffinity: "None", type: "ClusterIP" });
    if (spec["sessionAffinity"] === "ClientIP")
      fill(spec, { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } });
    for (const port of objectsAt(spec, "ports")) {
      fill(port, { protocol: "TCP" });
      if (port["targetPort"] === 0 || port["targetPort"] === "") port["targetPort"] = port["port"];
    }
    const { type } = spec;
    if (type !== "ExternalName") fill(spec, { internalTrafficPolicy: "Cluster" });
    if (isAccessible(spec)) fill(spec, { externalTrafficPolicy: "Cluster" });
    if (type === "LoadBalancer") fill(spec, { allocateLoadBalancerNodePorts: true });
  },
  prepareForCreate: (service, preparation) => allocate(objectAt(service, "spec") ?? {}, preparation),
  prepareForUpdate: (next, live, preparation) => {
    const [to, from] = [objectAt(next, "spec") ?? {}, objectAt(live, "spec") ?? {}];
    // An update that leaves out what was allocated keeps it.
    if (to["type"] !== "ExternalName") fill(to, pick(from, ADDRESSES));
    else dropUnchanged(to, from, ADDRESSES);
    const isCutOff = isAccessible(from) && !isAccessible(to);
    if (isCutOff && to["externalTrafficPolicy"] === from["externalTrafficPolicy"]) delete to["externalTrafficPolicy"];
    keepNodePorts(to, from);
    requireOneFamily(next, to);
    allocate(to, preparation);
  },
  validate: (next, live) => validateService(next, live),
  validateStatus: (service) =>
    objectsAt(service, "status", "loadBalancer", "ingress").length > 0 &&
    stringAt(service, "spec", "type") !== "LoadBalancer"
      ? [forbidden("status.loadBalancer.ingress", "may only be used when `spec.type` is 'LoadBalancer'")]
      : [],
  nameRule: "label",
  returnsDeletedObject: true,
  allowsCreateOnUpdate: true,
};

function hasOutsideAddresses(spec: JsonObject): boolean {
  return spec["type"] === "ClusterIP" && stringsAt(spec, "externalIPs").length > 0;
}

function isReachableFromOutside(spec: JsonObject): boolean {
  return spec["type"] === "NodePort" || spec["type"] === "LoadBalancer";
}

function isAccessible(spec: JsonObject): boolean {
  return isReachableFromOutside(spec) || hasOutsideAddresses(spec);
}

function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.filter((key) => object[key] !== undefined).map((key) => [key, object[key]]));
}

/** What was allocated for the type that it had goes with it. */
function dropUnchanged(to: JsonObject, from: JsonObject, keys: readonly string[]): void {
  if (from["type"] === "ExternalName") return;
  for (const key of keys) if (equalJson(to[key], from[key])) delete to[key];
}

function keepNodePorts(to: JsonObject, from: JsonObject): void {
  if (!isReachableFromOutside(to)) return;
  const known = new Map(objectsAt(from, "ports").map((port) => [portKey(port), port["nodePort"]]));
  for (const port of objectsAt(to, "ports")) {
    const nodePort = known.get(portKey(port));
    if (nodePort !== undefined) fill(port, { nodePort });
  }
}

function portKey(port: JsonObject): string {
  return `${stringAt(port, "protocol")}/${numberAt(port, "port") ?? 0}`;
}

/** Gives the Service the addresses that its type needs and it does not name itself. */
function allocate(spec: JsonObject, preparation: Preparation): void {
  if (spec["type"] === "ExternalName") return;
  const given = stringAt(spec, "clusterIP") || (stringsAt(spec, "clusterIPs")[0] ?? "");
  const clusterIP = given || freeAddress(preparation);
  Object.assign(spec, { clusterIP });
  // Nobody knows what endpoints a headless Service without a selector will have.
  const isOpen = clusterIP === "None" && Object.keys(objectAt(spec, "selector") ?? {}).length === 0;
  fill(spec, {
    clusterIPs: [clusterIP],
    ipFamilies: isOpen ? ["IPv4", "IPv6"] : ["IPv4"],
    ipFamilyPolicy: isOpen ? "RequireDualStack" : "SingleStack",
  });
  if (isReachableFromOutside(spec)) allocateNodePorts(spec, preparation);
}

function allocateNodePorts(spec: JsonObject, preparation: Preparation): void {
  for (const port of objectsAt(spec, "ports")) if (!port["nodePort"]) port["nodePort"] = freeNodePort(preparation);
}

/** Random within 10.0.0.0/16, and never one in use. */
function freeAddress({ list, random }: Preparation): string {
  const taken = new Set([...list("/services")].map((service) => stringAt(service, "spec", "clusterIP")));
  for (;;) {
    const host = 2 + Math.floor(random() * (2 ** 16 - 4));
    const address = `10.0.${host >> 8}.${host & 255}`;
    if (!taken.has(address)) return address;
  }
}

function freeNodePort({ list, random }: Preparation): number {
  const taken = new Set(
    [...list("/services")].flatMap((service) => objectsAt(service, "spec", "ports").map((port) => port["nodePort"])),
  );
  for (;;) {
    const port = 30_000 + Math.floor(random() * 2_768);
    if (!taken.has(port)) return port;
  }
}

function validateService(next: JsonObject, live: JsonObject | undefined): Cause[] {
  const spec = objectAt(next, "spec") ?? {};
  const type = stringAt(spec, "type");
  const ports = objectsAt(spec, "ports");
  const isHeadless = spec["clusterIP"] === "None";
  const needsPorts = ports.length === 0 && type !== "ExternalName" && !isHeadless;
  return [
    ...(needsPorts ? [required("spec.ports")] : []),
    ...(TYPES.includes(type) ? [] : [notSupported("spec.type", type, TYPES)]),
    ...validateServicePorts(ports, isReachableFromOutside(spec)),
    ...labelProblems(spec["selector"], "spec.selector"),
    ...(["ClientIP", "None"].includes(stringAt(spec, "sessionAffinity"))
      ? []
      : [notSupported("spec.sessionAffinity", spec["sessionAffinity"], ["ClientIP", "None"])]),
    ...(type === "ExternalName" && stringAt(spec, "externalName") === "" ? [required("spec.externalName")] : []),
    ...validateClusterIp(spec, live),
  ];
}

/** Two families are for headless Services that select nothing; the cluster has one. Looked at before all else. */
function requireOneFamily(service: JsonObject, spec: JsonObject): void {
  const isOpen = Object.keys(objectAt(spec, "selector") ?? {}).length === 0;
  if (isOpen || spec["type"] === "ExternalName" || stringsAt(spec, "ipFamilies").length < 2) return;
  throw invalid({ group: "", kind: "Service" }, stringAt(service, "metadata", "name"), [
    invalidValue(
      "spec.ipFamilyPolicy",
      spec["ipFamilyPolicy"],
      "this cluster is not configured for dual-stack services",
    ),
    invalidValue("spec.ipFamilies[1]", stringsAt(spec, "ipFamilies")[1], "not configured on this cluster"),
  ]);
}

function validateClusterIp(spec: JsonObject, live: JsonObject | undefined): Cause[] {
  const [address, before] = [spec["clusterIP"], at(live, "spec", "clusterIP")];
  if (spec["type"] === "ExternalName")
    return address === undefined ? [] : [forbidden("spec.clusterIPs", "may not be set for ExternalName services")];
  const isChanged = live !== undefined && before !== undefined && before !== "" && address !== before;
  if (isChanged) return [immutable("spec.clusterIPs[0]", address)];
  const isGood = address === undefined || address === "None" || /^\d+\.\d+\.\d+\.\d+$/.test(asText(address));
  return isGood
    ? []
    : [invalidValue("spec.clusterIPs[0]", address, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")];
}

function validateServicePorts(ports: readonly JsonObject[], hasNodePorts: boolean): Cause[] {
  const names = new Set<string>();
  const numbers = new Set<string>();
  return ports.flatMap((port, index) => {
    const field = `spec.ports[${index}]`;
    const causes = [
      ...validatePortName(port, { field, names, isNeeded: ports.length > 1 }),
      ...portProblems(`${field}.port`, numberAt(port, "port") ?? 0),
      ...(["SCTP", "TCP", "UDP"].includes(stringAt(port, "protocol"))
        ? []
        : [notSupported(`${field}.protocol`, port["protocol"], ["SCTP", "TCP", "UDP"])]),
      ...validateTargetPort(`${field}.targetPort`, port["targetPort"]),
    ];
    if (port["nodePort"] && !hasNodePorts)
      causes.push(forbidden(`${field}.nodePort`, "may not be used when `type` is 'ClusterIP'"));
    if (numbers.has(portKey(port))) causes.push(duplicate(field, pick(port, ["protocol", "port"])));
    numbers.add(portKey(port));
    return causes;
  });
}

interface PortNamePlace {
  readonly field: string;
  readonly names: Set<string>;
  readonly isNeeded: boolean;
}

function validatePortName(port: JsonObject, { field, names, isNeeded }: PortNamePlace): Cause[] {
  const name = stringAt(port, "name");
  if (name === "") return isNeeded ? [required(`${field}.name`)] : [];
  const causes = dns1123LabelProblems(name).map((problem) => invalidValue(`${field}.name`, name, problem));
  if (names.has(name)) causes.push(duplicate(`${field}.name`, name));
  names.add(name);
  return causes;
}

function validateTargetPort(field: string, target: unknown): Cause[] {
  if (typeof target === "number") return portProblems(field, target);
  return portNameProblems(asText(target)).map((problem) => invalidValue(field, target, problem));
}
