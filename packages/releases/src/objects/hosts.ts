// The host names under which an ingress hands requests to a port (§8).
import type { ClusterIngress, IngressName, PortInfo } from "@chaski/api";
import type { RoutingPlan } from "../plan/plan.ts";
import type { App } from "./app.ts";
import { sortedBy } from "./filled.ts";

export interface Ingress {
  readonly name: IngressName;
  readonly spec: ClusterIngress;
}

/** Sorted, each once. */
export function ingressHosts(app: App, routing: RoutingPlan, ingress: Ingress, port: PortInfo): readonly string[] {
  const isDefault = routing.defaultIngressPorts[ingress.name] === port.name;
  const claimed = new Set(routing.ports.flatMap(({ hosts = [] }) => hosts));
  const byDefault = isDefault ? defaultHosts(app, ingress.spec).filter((host) => !claimed.has(host)) : [];
  return sortedBy([...new Set([...byDefault, ...(port.hosts ?? [])])], (host) => host);
}

function defaultHosts(app: App, { defaultDomains }: ClusterIngress): readonly string[] {
  const names = [app.namespace, ...shortNames(app)];
  return (defaultDomains ?? []).flatMap((domain) => names.map((name) => `${name}.${domain}`));
}

/** Where the target is the fleet's main one, the host needs not name it. */
function shortNames({ app, target, fleet, namespace }: App): readonly string[] {
  if (target === fleet) return [app];
  const suffix = `-${fleet}`;
  return namespace.endsWith(suffix) ? [namespace.slice(0, -suffix.length)] : [];
}

/** Matches exactly these hosts, with or without a port. */
export function authorityRegex(hosts: readonly string[]): string {
  const escaped = hosts.map((host) => host.replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`));
  return `^(${sortedBy(escaped, (host) => host).join("|")})(:[0-9]+)?$`;
}
