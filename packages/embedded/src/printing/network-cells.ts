import { asText } from "../codec/text.ts";
import { at, numberAt, objectAt, objectsAt, stringAt, stringsAt } from "../schema/fields.ts";
import type { JsonObject } from "../schema/json.ts";
import { ageOf } from "./age.ts";

const SHOWN_MAX = 3;

export function serviceCells(service: JsonObject, nowMs: number): unknown[] {
  const ports = objectsAt(service, "spec", "ports").map((port) => {
    const nodePort = numberAt(port, "nodePort");
    return `${asText(port["port"])}${nodePort ? `:${nodePort}` : ""}/${stringAt(port, "protocol")}`;
  });
  const selector = Object.entries(objectAt(service, "spec", "selector") ?? {}).map(
    ([key, value]) => `${key}=${asText(value)}`,
  );
  return [
    stringAt(service, "metadata", "name"),
    stringAt(service, "spec", "type"),
    stringsAt(service, "spec", "clusterIPs")[0] ?? "<none>",
    externalAddress(service),
    ports.join(",") || "<none>",
    ageOf(at(service, "metadata", "creationTimestamp"), nowMs),
    selector.toSorted().join(",") || "<none>",
  ];
}

function externalAddress(service: JsonObject): string {
  const type = stringAt(service, "spec", "type");
  if (type === "ExternalName") return stringAt(service, "spec", "externalName");
  const external = stringsAt(service, "spec", "externalIPs");
  if (type !== "LoadBalancer") return external.join(",") || "<none>";
  const balancers = objectsAt(service, "status", "loadBalancer", "ingress").map(
    (ingress) => stringAt(ingress, "ip") || stringAt(ingress, "hostname"),
  );
  return [...balancers, ...external].join(",") || "<pending>";
}

export function endpointsCells(endpoints: JsonObject, nowMs: number): unknown[] {
  const addresses = objectsAt(endpoints, "subsets").flatMap((subset) => {
    const ips = objectsAt(subset, "addresses").map((address) => stringAt(address, "ip"));
    const ports = objectsAt(subset, "ports");
    return ports.length === 0 ? ips : ports.flatMap((port) => ips.map((ip) => `${ip}:${asText(port["port"])}`));
  });
  const isEmpty = objectsAt(endpoints, "subsets").length === 0;
  return [
    stringAt(endpoints, "metadata", "name"),
    isEmpty ? "<none>" : shorten(addresses),
    ageOf(at(endpoints, "metadata", "creationTimestamp"), nowMs),
  ];
}

export function endpointSliceCells(slice: JsonObject, nowMs: number): unknown[] {
  const ports = objectsAt(slice, "ports").map((port) => asText(port["port"]) || stringAt(port, "name") || "*");
  const addresses = objectsAt(slice, "endpoints").flatMap((endpoint) => stringsAt(endpoint, "addresses"));
  return [
    stringAt(slice, "metadata", "name"),
    stringAt(slice, "addressType"),
    shorten(ports) || "<unset>",
    shorten(addresses) || "<unset>",
    ageOf(at(slice, "metadata", "creationTimestamp"), nowMs),
  ];
}

function shorten(list: readonly string[]): string {
  const shown = list.slice(0, SHOWN_MAX).join(",");
  return list.length > SHOWN_MAX ? `${shown} + ${list.length - SHOWN_MAX} more...` : shown;
}
