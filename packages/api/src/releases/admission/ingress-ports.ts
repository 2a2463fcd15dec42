// Which ports an ingress leads to, and which of them owns its default host names (§3.1).
import type { PortInfo } from "../port.ts";

/** By ingress; an ingress without ports is absent. */
export type IngressBuckets = ReadonlyMap<string, readonly PortInfo[]>;

export function ingressBuckets(ports: readonly PortInfo[]): IngressBuckets {
  const pairs = ports.flatMap((port) => [...new Set(ingressesOf(port))].map((ingress) => ({ ingress, port })));
  const buckets = Map.groupBy(pairs, ({ ingress }) => ingress);
  return new Map([...buckets].map(([ingress, entries]) => [ingress, entries.map(({ port }) => port)]));
}

export function withIngresses(port: PortInfo): PortInfo {
  const ingresses = ingressesOf(port);
  return ingresses === port.ingresses || ingresses.length === 0 ? port : { ...port, ingresses };
}

/** Those that the port names, else those of its mode. */
function ingressesOf({ ingresses = [], mode }: PortInfo): string[] {
  if (ingresses.length > 0) return ingresses;
  switch (mode) {
    case "public":
      return ["private", "public"];
    case "private":
      return ["private"];
    default:
      return [];
  }
}

/** The flagged port (D-32), else the only one, else the one called `http`. Undefined: somebody has to say. */
export function defaultPortOf(bucket: readonly PortInfo[]): string | undefined {
  const flagged = bucket.filter((port) => port.default);
  if (flagged.length > 1) return undefined;
  const [only, ...others] = bucket;
  const chosen = flagged[0] ?? (others.length === 0 ? only : bucket.find(({ name }) => name === "http"));
  return chosen?.name;
}
