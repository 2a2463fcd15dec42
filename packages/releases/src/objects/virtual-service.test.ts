import { type ClusterSpec, defaultPort, type HttpPortFault, type PortInfo } from "@chaski/api";
import { describe, expect, test } from "vitest";
import { echoApp, echoCluster } from "../../test/echo.ts";
import { expectGolden } from "../../test/golden.ts";
import type { AppPlan, RoutePlan } from "../plan/plan.ts";
import { defaultFlags } from "../plan/flags.ts";
import type { HttpRoute } from "./http-route.ts";
import type { SpecObject } from "./kinds.ts";
import { buildVirtualService } from "./virtual-service.ts";

const http = defaultPort({ name: "http", mode: "public", ingresses: ["private", "public"] });
const status = defaultPort({
  name: "status",
  mode: "local",
  port: 4242,
  istio: { http: { retries: { attempts: 2 } } },
});

interface Given {
  readonly ports?: readonly PortInfo[];
  readonly faults?: readonly HttpPortFault[];
  readonly route?: Partial<RoutePlan>;
  readonly cluster?: Partial<ClusterSpec>;
  readonly flags?: Partial<AppPlan["flags"]>;
}

function virtualService({ ports = [http, status], faults = [], route, cluster, flags }: Given = {}) {
  const app = echoApp({
    routing: { ports, faults, defaultIngressPorts: { private: "http", public: "http" } },
    flags: { ...defaultFlags, ...flags },
  });
  const plan = { weights: [{ tag: "T", percent: 100 }], tagged: [{ tag: "T", header: "echo-tag" }] };
  const subsets = [{ tag: "T" }];
  return buildVirtualService(app, { spec: echoCluster(cluster) }, { ...plan, subsets, isUrgent: false, ...route });
}

function routesOf(built: SpecObject | undefined): readonly HttpRoute[] {
  return built?.spec?.["http"] as readonly HttpRoute[];
}

test("one tag with all of the traffic, and its header", () => expectGolden(virtualService(), "virtual-service"));

test("a ramp, with timeouts, retries, a fault and a developer's route", () => {
  const grpc = defaultPort({
    name: "grpc",
    mode: "private",
    port: 8080,
    ingressPort: 8443,
    hosts: ["grpc.example"],
    ingresses: ["private"],
    istio: { http: { timeout: "3ms", retries: { attempts: 3, perTryTimeout: "1.5s", retryOn: "5xx" } } },
  });
  const weights = [
    { tag: "v2", percent: 20 },
    { tag: "v1", percent: 80 },
  ];
  const built = virtualService({
    ports: [grpc, http],
    faults: [{ portSelector: { number: 8080 }, fault: { abort: { httpStatus: 404, percentage: { value: 50 } } } }],
    route: { weights, tagged: [] },
    cluster: { enableDevRoutes: true, devRouteTagTemplate: "dev-{{.App}}-tag" },
    flags: { devRoutesServiceHost: "dev.internal.example", devRoutesServicePort: 80 },
  });
  return expectGolden(built, "virtual-service-ramp");
});

describe("routes", () => {
  test("header routes come before the weighted ones, sorted by name", () => {
    const names = routesOf(virtualService()).map(({ name }) => name);
    expect(names).toEqual(["00_tagged-T-http", "00_tagged-T-status", "01_release-http", "01_release-status"]);
  });

  test("D-56: destinations are ordered by tag, and their weights are the split", () => {
    const weights = [
      { tag: "b", percent: 30 },
      { tag: "a", percent: 70 },
    ];
    const [release] = routesOf(virtualService({ ports: [status], route: { weights, tagged: [] } }));
    expect(release?.route.map(({ destination, weight }) => [destination["subset"], weight])).toEqual([
      ["a", 70],
      ["b", 30],
    ]);
  });

  test("the last fault of a port counts; one without a port selector is nobody's (D-69)", () => {
    const faults = [
      { portSelector: { number: 80 }, fault: { delay: { fixedDelay: "1s" } } },
      { portSelector: { number: 80 }, fault: { delay: { fixedDelay: "2s" } } },
      { fault: { delay: { fixedDelay: "3s" } } },
    ];
    const [release] = routesOf(virtualService({ ports: [http], faults, route: { tagged: [] } }));
    expect(release?.fault).toEqual({ delay: { fixedDelay: "2s" } });
  });

  test("with neither weights nor headers nothing is written", () => {
    expect(virtualService({ route: { weights: [], tagged: [] } })).toBeUndefined();
    expect(virtualService({ ports: [] })).toBeUndefined();
  });
});

describe("the developer's route", () => {
  const on = { enableDevRoutes: true, devRouteTagTemplate: "dev-{{ .Namespace }}&{{.Target}}" };
  const flags = { devRoutesServiceHost: "dev.internal.example", devRoutesServicePort: 80 };
  const headerOf = (cluster: Partial<ClusterSpec>): readonly string[] =>
    routesOf(virtualService({ cluster, flags }))
      .filter(({ name }) => name === "00_dev-echo")
      .flatMap(({ match }) => Object.keys(match[0]?.headers ?? {}));

  test("D-58: its header is plain text", () => {
    expect(headerOf(on)).toEqual(["dev-echo-production&production"]);
  });

  test.each([
    { why: "it is off", cluster: { ...on, enableDevRoutes: false } },
    { why: "there is no template", cluster: { ...on, devRouteTagTemplate: "" } },
    { why: "the template asks for a field that there is not", cluster: { ...on, devRouteTagTemplate: "{{.Tag}}" } },
  ])("there is none where $why", ({ cluster }) => {
    expect(headerOf(cluster)).toEqual([]);
  });
});
