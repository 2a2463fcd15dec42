import { type HttpPortFault, ingressNames, type PortInfo } from "@chaski/api";
import { apiVersionOf } from "@chaski/kube";
import type { AppPlan, ClusterPlan, RoutePlan, RoutingPlan } from "../plan/plan.ts";
import type { App } from "./app.ts";
import { meshHost } from "./destination-rule.ts";
import { buildDevRoute } from "./dev-route.ts";
import { compareText, filled, sortedBy } from "./filled.ts";
import { authorityRegex, type Ingress, ingressHosts } from "./hosts.ts";
import type { HttpMatch, HttpRoute } from "./http-route.ts";
import { type SpecObject, VirtualService } from "./kinds.ts";
import { appLabels } from "./labels.ts";
import { protoDuration } from "./proto-duration.ts";

/** A port, and where requests for it come in from outside. */
interface RoutedPort {
  readonly port: PortInfo;
  readonly entrances: readonly Entrance[];
}

/** An ingress that the port names, with a gateway and at least one host. */
interface Entrance {
  readonly gateway: string;
  readonly hosts: readonly string[];
  readonly authority: string;
  readonly ports: readonly number[];
}

/** Undefined where there is no route or no host: then what is live stays. */
export function buildVirtualService(
  app: App & Pick<AppPlan, "routing" | "flags">,
  { spec }: Pick<ClusterPlan, "spec">,
  route: RoutePlan,
): SpecObject | undefined {
  const ingresses = ingressNames.map((name) => ({ name, spec: spec.ingresses[name] }));
  const ports = app.routing.ports.map((port) => ({ port, entrances: entrancesOf(app, ingresses, port) }));
  const portRoutes = ports.flatMap((port) => routesOf(app, route, port));
  if (portRoutes.length === 0) return undefined;
  const entrances = ports.flatMap((port) => port.entrances);
  return {
    apiVersion: apiVersionOf(VirtualService),
    kind: VirtualService.kind,
    metadata: { name: app.app, namespace: app.namespace, labels: appLabels(app) },
    spec: {
      gateways: ["mesh", ...sortedSet(entrances.map(({ gateway }) => gateway))],
      hosts: sortedSet([meshHost(app), ...entrances.flatMap(({ hosts }) => hosts)]),
      http: sortedBy([...buildDevRoute(app, spec, app.flags), ...portRoutes], ({ name }) => name),
    },
  };
}

function sortedSet(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted(compareText);
}

function entrancesOf(
  app: App & { readonly routing: RoutingPlan },
  ingresses: readonly Ingress[],
  port: PortInfo,
): readonly Entrance[] {
  const ingressPort = port.ingressPort ?? 443;
  return ingresses.flatMap((ingress) => {
    const { gateway } = ingress.spec;
    if (!gateway || !port.ingresses?.includes(ingress.name)) return [];
    const hosts = ingressHosts(app, app.routing, ingress, port);
    if (hosts.length === 0) return [];
    return [
      { gateway, hosts, authority: authorityRegex(hosts), ports: ingressPort === 443 ? [443, 80] : [ingressPort] },
    ];
  });
}

/** Header routes before the weighted one: Istio takes the first that matches, and names sort that way. */
function routesOf(
  app: App & { readonly routing: RoutingPlan },
  route: RoutePlan,
  routed: RoutedPort,
): readonly HttpRoute[] {
  const { port } = routed;
  const host = meshHost(app);
  const to = (tag: string, weight: number): HttpRoute["route"][number] => ({
    destination: { host, port: { number: port.port ?? 80 }, subset: tag },
    weight,
  });
  const tagged = route.tagged.map(({ tag, header }) => ({
    name: `00_tagged-${tag}-${port.name}`,
    match: matchesOf(routed, { [header]: { exact: tag } }),
    route: [to(tag, 100)],
  }));
  const weights = route.weights.filter(({ percent }) => percent > 0).toSorted((a, b) => compareText(a.tag, b.tag));
  const release = {
    name: `01_release-${port.name}`,
    match: matchesOf(routed),
    route: weights.map(({ tag, percent }) => to(tag, percent)),
  };
  const behaviour = behaviourOf(port, app.routing.faults);
  return [...tagged, ...(weights.length > 0 ? [release] : [])].map((plain) => ({ ...plain, ...behaviour }));
}

function behaviourOf(
  port: PortInfo,
  faults: readonly HttpPortFault[],
): Pick<HttpRoute, "timeout" | "retries" | "fault"> {
  const { timeout, retries } = port.istio?.http ?? {};
  const fault = faults.findLast(({ portSelector }) => portSelector?.number === (port.port ?? 80))?.fault;
  return filled({
    timeout: protoDuration(timeout),
    retries: retries && {
      attempts: retries.attempts ?? 0,
      ...filled({ perTryTimeout: protoDuration(retries.perTryTimeout), retryOn: retries.retryOn }),
    },
    fault,
  });
}

function matchesOf({ port, entrances }: RoutedPort, headers?: HttpMatch["headers"]): readonly HttpMatch[] {
  const rest = { uri: { prefix: "/" }, ...(headers ? { headers } : {}) };
  const mesh = { gateways: ["mesh"], port: port.port ?? 80, ...rest };
  const outside = entrances.flatMap(({ gateway, authority, ports }) =>
    ports.map((number) => ({ authority: { regex: authority }, gateways: [gateway], port: number, ...rest })),
  );
  return [mesh, ...outside];
}
