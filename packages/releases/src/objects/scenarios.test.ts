// The acceptance scenarios of the specification (§16) that are about objects, by their numbers there.
import { defaultPort, type ServiceLevelObjective } from "@chaski/api";
import { describe, expect, test } from "vitest";
import { echoApp, echoCluster, echoRevision, echoTarget } from "../../test/echo.ts";
import { aCluster, anEntry, aReleaseManager, aRevision, aWorld, NAMESPACE } from "../../test/worlds.ts";
import { decideRelease } from "../engine/decide-release.ts";
import { defaultFlags } from "../engine/world.ts";
import type { HttpRoute } from "./http-route.ts";
import { buildCanaryRule, buildRecordingRules } from "./prometheus-rules.ts";
import { buildReplicaSet } from "./replica-set.ts";
import { buildServiceLevel } from "./service-level.ts";
import { buildVirtualService } from "./virtual-service.ts";

test("scenario 3: the field karpenterDoNotDisrupt wins over the annotation of the same name", () => {
  const podAnnotations = { "karpenter.sh/do-not-disrupt": "true" };
  const target = echoTarget({ karpenterDoNotDisrupt: "30m", podAnnotations });
  const { template } = buildReplicaSet(echoApp(), echoRevision({ target })).spec;
  expect(template?.metadata?.annotations).toMatchObject({ "karpenter.sh/do-not-disrupt": "30m" });
});

/** What is decided for one released revision on one cluster that has an autoscaler for it. */
function entriesFor(scale: object, { factor = "1.0", address = "", isAmbient = false } = {}) {
  const owned = {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "v1", namespace: NAMESPACE, labels: { "picchu.medium.engineering/tag": "v1" } },
  };
  const { desired } = decideRelease(
    aWorld({
      revisions: [aRevision("v1", { target: { scale, ambientMesh: isAmbient } })],
      releaseManager: aReleaseManager([anEntry("v1", { state: "released", currentPercent: 100 })]),
      clusters: [
        aCluster("a", {
          pods: { v1: 4 },
          weights: { v1: 100 },
          spec: { scalingFactorString: factor },
          owned: [owned],
        }),
      ],
      flags: { ...defaultFlags, clusterPrometheusAddress: address },
    }),
  );
  const entries = desired.find(({ cluster }) => cluster === "a")?.entries ?? [];
  const find = (verb: string, kind: string) =>
    entries.find((entry) => entry.verb === verb && entry.ref.kind.kind === kind);
  const specOf = (kind: string): unknown => {
    const entry = find("apply", kind);
    return entry && "object" in entry ? Reflect.get(entry.object, "spec") : undefined;
  };
  return { isRemoved: (kind: string) => find("remove", kind) !== undefined, specOf };
}

describe("scenario 14: ReplicaSet", () => {
  const ports = [
    { name: "http", mode: "private", containerPort: 8080 },
    { name: "status", mode: "local", containerPort: 4242 },
  ];
  const target = echoTarget({ ports, aws: { iam: { role_arn: "testrole" } } });
  const app = { ...echoApp(), app: "testapp", namespace: "testnamespace" };
  const { metadata, spec } = buildReplicaSet(app, echoRevision({ tag: "testtag", target }));
  const pod = spec.template?.spec;
  const [container] = pod?.containers ?? [];

  test("is named after its tag, and says who scales it and which role it has", () => {
    expect([metadata.name, metadata.namespace]).toEqual(["testtag", "testnamespace"]);
    expect(metadata.annotations).toEqual({
      "picchu.medium.engineering/autoscaler": "hpa",
      "iam.amazonaws.com/role": "testrole",
    });
  });

  test("selects its pods by their labels and by the tag", () => {
    expect(spec.selector.matchLabels).toMatchObject({ "tag.picchu.medium.engineering": "testtag" });
    expect(spec.template?.metadata?.labels).toMatchObject(spec.selector.matchLabels ?? {});
  });

  test("orders ports by number", () => {
    expect(container?.ports?.map(({ containerPort }) => containerPort)).toEqual([4242, 8080]);
  });

  test("has default probes, ndots 1, and is watched before it is ready", () => {
    expect([container?.livenessProbe?.failureThreshold, container?.readinessProbe?.failureThreshold]).toEqual([7, 3]);
    expect(pod?.dnsConfig?.options).toEqual([{ name: "ndots", value: "1" }]);
    expect(spec.template?.metadata?.annotations).toMatchObject({ "ad.datadoghq.com/tolerate-unready": "true" });
  });
});

describe("scenario 16: HPA", () => {
  test("min 4, max 10, CPU 30 at factor 0.5: 2..5 with one metric", () => {
    const { specOf } = entriesFor({ min: 4, max: 10, targetCPUUtilizationPercentage: 30 }, { factor: "0.5" });
    const target = { type: "Utilization", averageUtilization: 30 };
    expect(specOf("HorizontalPodAutoscaler")).toMatchObject({
      minReplicas: 2,
      maxReplicas: 5,
      metrics: [{ type: "Resource", resource: { name: "cpu", target } }],
    });
  });

  test("no metrics: it is deleted", () => {
    const { isRemoved, specOf } = entriesFor({ min: 4, max: 10, default: 4 });
    expect([isRemoved("HorizontalPodAutoscaler"), specOf("HorizontalPodAutoscaler")]).toEqual([true, undefined]);
  });
});

describe("scenario 17: ambient", () => {
  const scale = { min: 4, max: 10, targetRequestsRate: "5" };

  test("rate 5, min 4, max 10 at factor 0.5: a ScaledObject 2..5 instead of the HPA", () => {
    const given = { factor: "0.5", address: "http://prometheus.example:9090", isAmbient: true };
    const { isRemoved, specOf } = entriesFor(scale, given);
    expect(isRemoved("HorizontalPodAutoscaler")).toBe(true);
    const query = `sum(rate(istio_requests_total{destination_workload="v1", destination_workload_namespace="${NAMESPACE}"}[2m]))`;
    expect(specOf("ScaledObject")).toMatchObject({
      minReplicaCount: 2,
      maxReplicaCount: 5,
      triggers: [{ type: "prometheus", metadata: { query, threshold: "5" } }],
    });
  });

  test("without an address: an HPA", () => {
    const { specOf } = entriesFor(scale, { isAmbient: true });
    expect([specOf("ScaledObject"), specOf("HorizontalPodAutoscaler")]).toEqual([undefined, expect.anything()]);
  });
});

describe("scenario 18: VirtualService", () => {
  const http = defaultPort({ name: "http", mode: "public", port: 80, ingresses: ["private", "public"] });
  const status = defaultPort({
    name: "status",
    mode: "local",
    port: 4242,
    istio: { http: { retries: { attempts: 2 } } },
  });
  const routing = { ports: [http, status], faults: [], defaultIngressPorts: { private: "http", public: "http" } };
  const route = {
    weights: [{ tag: "T", percent: 100 }],
    tagged: [{ tag: "T", header: "echo-tag" }],
    subsets: [{ tag: "T" }],
    isUrgent: false,
  };
  const spec = buildVirtualService(echoApp({ routing }), { spec: echoCluster() }, route)?.spec ?? {};
  const routes = spec["http"] as readonly HttpRoute[];

  test("gateways and hosts", () => {
    expect(spec["gateways"]).toEqual(["mesh", "istio-system/private"]);
    expect(spec["hosts"]).toEqual([
      "echo-production.medm.io",
      "echo-production.production.medm.io",
      "echo.echo-production.svc.cluster.local",
      "echo.medm.io",
      "echo.production.medm.io",
    ]);
  });

  test("routes, in order", () => {
    expect(routes.map(({ name }) => name)).toEqual([
      "00_tagged-T-http",
      "00_tagged-T-status",
      "01_release-http",
      "01_release-status",
    ]);
  });

  test("http matches in the mesh and on both ports of the gateway, by authority; status in the mesh", () => {
    const regex = String.raw`^(echo-production\.medm\.io|echo-production\.production\.medm\.io|echo\.medm\.io|echo\.production\.medm\.io)(:[0-9]+)?$`;
    const release = routes.find(({ name }) => name === "01_release-http");
    expect(release?.match.map(({ gateways, port, authority }) => [gateways?.[0], port, authority?.regex])).toEqual([
      ["mesh", 80, undefined],
      ["istio-system/private", 443, regex],
      ["istio-system/private", 80, regex],
    ]);
    const internal = routes.filter(({ name }) => name?.endsWith("status"));
    expect(internal.map(({ match, retries }) => [match.length, retries])).toEqual([
      [1, { attempts: 2 }],
      [1, { attempts: 2 }],
    ]);
  });
});

const availability: ServiceLevelObjective = {
  name: "test-app-availability",
  enabled: true,
  objectivePercentString: "99.999",
  serviceLevelIndicator: {
    canary: { enabled: true, allowancePercentString: "1", failAfter: "1m" },
    tagKey: "destination_workload",
    totalQuery: "sum(rate(requests[2m])) by (destination_workload)",
    errorQuery: "sum(rate(failures[2m])) by (destination_workload)",
  },
};
const objectiveApp = (objective: ServiceLevelObjective) =>
  echoApp({ app: "test-app", namespace: "test-app-production", objectives: [objective] });

describe("scenario 20: recording rules and Sloth", () => {
  const errorQuery = (objective: ServiceLevelObjective): unknown =>
    JSON.parse(JSON.stringify(buildServiceLevel(objectiveApp(objective))?.spec)).slos[0].sli.events.errorQuery;

  test("the rule records total and errors", () => {
    const rule = buildRecordingRules(objectiveApp(availability));
    expect(rule?.metadata.name).toBe("test-app-slo");
    expect(rule?.spec?.["groups"]).toMatchObject([
      {
        name: "test_app_availability_record",
        rules: [
          { record: "test_app:test_app_availability:total" },
          { record: "test_app:test_app_availability:errors" },
        ],
      },
    ]);
  });

  test("the service level asks by tag", () => {
    expect(buildServiceLevel(objectiveApp(availability))?.metadata.name).toBe("test-app-production-servicelevels");
    expect(errorQuery(availability)).toBe(
      'sum by (tag) (label_replace(rate(test_app:test_app_availability:errors[{{.window}}]), "tag", "$1", "destination_workload", "(.*)"))',
    );
  });

  test("with the tag key `tag` and gRPC: by tag and method", () => {
    const grpc = {
      ...availability,
      serviceLevelIndicator: { ...availability.serviceLevelIndicator, tagKey: "tag" },
      serviceLevelObjectiveLabels: { serviceLevelLabels: { is_grpc: "true" } },
    };
    expect(errorQuery(grpc)).toBe(
      "sum by (tag, grpc_method) (rate(test_app:test_app_availability:errors[{{.window}}]))",
    );
  });
});

test("scenario 21: canary rule", () => {
  const target = echoTarget({
    serviceLevelObjectives: [availability],
    serviceLevelObjectiveLabels: { alertLabels: { team: "test" } },
  });
  const rule = buildCanaryRule(objectiveApp(availability), "tag", target);
  expect(rule?.metadata.name).toBe("test-app-canary-tag");
  expect(rule?.spec?.["groups"]).toMatchObject([
    {
      rules: [
        {
          alert: "test_app_availability_canary",
          expr: 'test_app:test_app_availability:errors{destination_workload="tag"} / test_app:test_app_availability:total{destination_workload="tag"} - 0.01 > ignoring(destination_workload) sum(test_app:test_app_availability:errors) / sum(test_app:test_app_availability:total)',
          for: "1m",
          labels: {
            app: "test-app",
            tag: "tag",
            canary: "true",
            slo: "true",
            channel: "#eng-releases",
            team: "test",
          },
        },
      ],
    },
  ]);
});
