import { type HttpPortFault, ingressNames, type PortInfo } from "@chaski/api";
import { apiVersionOf } from "@chaski/kube";
import type { AppPlan, ClusterPlan, RoutePlan, RoutingPlan } from "../engine/plan.ts";
import type { App } from "./app.ts";
import { meshHost } from "./destination-rule.ts";
import { buildDevRoute } from "./dev-route.ts";
import { compareText, filled, sortedBy } from "./filled.ts";
import { authorityRegex, type Ingress, ingressHosts } from "./hosts.ts";
import type { HttpMatch, HttpRoute } from "./http-route.ts";
import { type SpecObject, VirtualService } from "./kinds.ts";
import { appLabels } from "./labels.ts";
import { protoDuration } from "./proto-duration.ts";

/** What the routes of one cluster are made of. */
interface Routing {
  readonly app: App;
  readonly routing: RoutingPlan;
  readonly route: RoutePlan;
  readonly ingresses: readonly Ingress[];
}

/** Undefined where there is no route or no host: then what is live stays. */
export function buildVirtualService(
  app: App & Pick<AppPlan, "routing" | "flags">,
  cluster: Pick<ClusterPlan, "spec">,
  route: RoutePlan,
): SpecObject | undefined {
  const { spec } = cluster;
  const ingresses = ingressNames.map((name) => ({ name, spec: spec.ingresses[name] }));
  const routing: Routing = { app, routing: app.routing, route, ingresses };
  const portRoutes = app.routing.ports.flatMap((port) => routesOf(routing, port));
  if (portRoutes.length === 0) return undefined;
  const routes = [...buildDevRoute(app, spec, app.flags), ...portRoutes];
  return {
    apiVersion: apiVersionOf(VirtualService),
    kind: VirtualService.kind,
    metadata: { name: app.app, namespace: app.namespace, labels: appLabels(app) },
    spec: {
      gateways: ["mesh", ...gatewaysOf(routes)],
      hosts: hostsOf(routing),
      http: sortedBy(routes, ({ name }) => name),
    },
  };
}

/** Header routes before the weighted one: Istio takes the first that matches, and names sort that way. */
function routesOf(routing: Routing, port: PortInfo): readonly HttpRoute[] {
  const { app, route } = routing;
  const host = meshHost(app);
  const to = (tag: string, weight: number): HttpRoute["route"][number] => ({
    destination: { host, port: { number: port.port ?? 80 }, subset: tag },
    weight,
  });
  const tagged = route.tagged.map(({ tag, header }) => ({
    name: `00_tagged-${tag}-${port.name}`,
    match: matchesOf(routing, port, { [header]: { exact: tag } }),
    route: [to(tag, 100)],
  }));
  const weights = route.weights.filter(({ percent }) => percent > 0).toSorted((a, b) => compareText(a.tag, b.tag));
  const release = {
    name: `01_release-${port.name}`,
    match: matchesOf(routing, port),
    route: weights.map(({ tag, percent }) => to(tag, percent)),
  };
  return [...tagged, ...(weights.length > 0 ? [release] : [])].map((plain) => ({
    ...plain,
    ...behaviour(port, routing.routing.faults),
  }));
}

function behaviour(port: PortInfo, faults: readonly HttpPortFault[]): Pick<HttpRoute, "timeout" | "retries" | "fault"> {
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

function matchesOf(routing: Routing, port: PortInfo, headers?: HttpMatch["headers"]): readonly HttpMatch[] {
  const rest = { uri: { prefix: "/" }, ...(headers ? { headers } : {}) };
  const mesh = { gateways: ["mesh"], port: port.port ?? 80, ...rest };
  const entries = entrancesOf(routing, port).flatMap(({ gateway, hosts, ports }) =>
    ports.map((number) => ({
      authority: { regex: authorityRegex(hosts) },
      gateways: [gateway],
      port: number,
      ...rest,
    })),
  );
  return [mesh, ...entries];
}

interface Entrance {
  readonly gateway: string;
  readonly hosts: readonly string[];
  readonly ports: readonly number[];
}

/** Where requests from outside come in: an ingress that the port names, with a gateway and at least one host. */
function entrancesOf({ app, routing, ingresses }: Routing, port: PortInfo): readonly Entrance[] {
  const ingressPort = port.ingressPort ?? 443;
  return ingresses.flatMap((ingress) => {
    const { gateway } = ingress.spec;
    const hosts = ingressHosts(app, routing, ingress, port);
    if (!gateway || hosts.length === 0 || !port.ingresses?.includes(ingress.name)) return [];
    return [{ gateway, hosts, ports: ingressPort === 443 ? [443, 80] : [ingressPort] }];
  });
}

function gatewaysOf(routes: readonly HttpRoute[]): readonly string[] {
  const named = routes.flatMap(({ match }) => match.flatMap(({ gateways = [] }) => gateways));
  return [...new Set(named)].filter((gateway) => gateway !== "mesh").toSorted(compareText);
}

function hostsOf(routing: Routing): readonly string[] {
  const entrances = routing.routing.ports.flatMap((port) => entrancesOf(routing, port));
  return [...new Set([meshHost(routing.app), ...entrances.flatMap(({ hosts }) => hosts)])].toSorted(compareText);
}
