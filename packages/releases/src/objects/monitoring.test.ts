// Rules, service levels and monitors (§12).
import type { ServiceLevelObjective } from "@chaski/api";
import { describe, expect, test } from "vitest";
import { echoApp, echoTarget } from "../../test/echo.ts";
import { expectGolden } from "../../test/golden.ts";
import { buildAlertRules, buildCanaryRule, buildRecordingRules } from "./prometheus-rules.ts";
import { buildServiceLevel } from "./service-level.ts";
import { buildServiceMonitor, metricsRegex } from "./service-monitor.ts";

const availability: ServiceLevelObjective = {
  name: "test-app-availability",
  description: "test desc",
  enabled: true,
  objectivePercentString: "99.999",
  serviceLevelIndicator: {
    canary: { enabled: true, allowancePercentString: "1", failAfter: "1m" },
    tagKey: "destination_workload",
    totalQuery: 'sum(rate(test_metric{job="test"}[2m])) by (destination_workload)',
    errorQuery: 'sum(rate(test_metric{job="test", code=~"5.."}[2m])) by (destination_workload)',
  },
  serviceLevelObjectiveLabels: { alertLabels: { severity: "page" }, serviceLevelLabels: { severity: "slo" } },
  alerting: {
    name: "test-app-availability",
    labels: { slo: "true", app: "test-app" },
    pageAlert: { labels: { channel: "#pages" } },
    ticketAlert: { disable: true },
  },
};

const objectiveLabels = {
  ruleLabels: { prometheus: "main" },
  alertLabels: { team: "test", severity: "none" },
  serviceLevelLabels: { team: "test", severity: "none" },
};

function app(objectives: readonly ServiceLevelObjective[] = [availability]) {
  return echoApp({ app: "test-app", namespace: "test-app-production", objectives, objectiveLabels });
}

function changed(change: Partial<NonNullable<ServiceLevelObjective["serviceLevelIndicator"]>>): ServiceLevelObjective {
  return { ...availability, serviceLevelIndicator: { ...availability.serviceLevelIndicator, ...change } };
}

interface SloOfSloth {
  readonly sli: { readonly events: { readonly errorQuery: string } };
}

describe("the app's own alert rules", () => {
  test("one group", () => {
    const rules = [{ alert: "Down", expr: "up == 0", for: "5m" }];
    return expectGolden(buildAlertRules(app(), rules), "alert-rules");
  });

  test("none, no object", () => expect(buildAlertRules(app(), [])).toBeUndefined());
});

describe("recording rules", () => {
  test("total and errors of each objective", () => expectGolden(buildRecordingRules(app()), "recording-rules"));

  test("no objective that can be recorded, no object", () => {
    expect(buildRecordingRules(app([changed({ totalQuery: "" })]))).toBeUndefined();
  });

  test("of two objectives with the same name the first counts: a group's name must be unique", () => {
    const twice = buildRecordingRules(app([availability, { ...availability, name: "test_app-Availability" }]));
    expect(twice?.spec?.["groups"]).toHaveLength(1);
  });
});

describe("the canary's rule", () => {
  const ruleOf = (objective: ServiceLevelObjective) =>
    buildCanaryRule(
      app(),
      "tag",
      echoTarget({ serviceLevelObjectives: [objective], serviceLevelObjectiveLabels: objectiveLabels }),
    );

  test("errs more than the app at large", () => expectGolden(ruleOf(availability), "canary-rule"));

  test("D-59: without a tag key it is `tag`", () => {
    expect(JSON.stringify(ruleOf(changed({ tagKey: "" })))).toContain(String.raw`errors{tag=\"tag\"}`);
  });

  test.each([
    { why: "is disabled (D-59)", objective: { ...availability, enabled: false } },
    { why: "judges no canary", objective: changed({ canary: { enabled: false } }) },
  ])("an objective that $why has none", ({ objective }) => {
    expect(ruleOf(objective)).toBeUndefined();
  });
});

describe("the service level", () => {
  const queryOf = (objective: ServiceLevelObjective): unknown => {
    const slos = buildServiceLevel(app([objective]))?.spec?.["slos"] as readonly SloOfSloth[];
    return slos[0]?.sli.events.errorQuery;
  };

  test("what Sloth gets", () => expectGolden(buildServiceLevel(app()), "service-level"));

  test("the label tag reaches the alert, with the method of gRPC where asked for", () => {
    const grpc = {
      ...changed({ tagKey: "tag" }),
      serviceLevelObjectiveLabels: { serviceLevelLabels: { is_grpc: "" } },
    };
    expect(queryOf(grpc)).toBe("sum by (tag, grpc_method) (rate(test_app:test_app_availability:errors[{{.window}}]))");
  });

  test("without a namespace for them there is none", () => {
    const plan = app();
    expect(buildServiceLevel({ ...plan, flags: { ...plan.flags, serviceLevelsNamespace: "" } })).toBeUndefined();
  });
});

describe("a service monitor", () => {
  const monitor = {
    name: "test-monitor",
    sloRegex: true,
    labels: { prometheus: "main" },
    annotations: { note: "kept" },
    spec: {
      endpoints: [
        {
          port: "status",
          metricRelabelings: [
            { action: "keep", sourceLabels: ["__name__"] },
            { action: "drop", regex: "x" },
          ],
        },
      ],
      selector: { matchLabels: { app: "test-app" } },
      namespaceSelector: { any: true },
    },
  };

  test("D-31, D-50: with its annotations and the app's label", () =>
    expectGolden(buildServiceMonitor(app(), monitor, [availability]), "service-monitor"));

  test("its input stays as it was (D-64)", () => {
    const before = structuredClone(monitor);
    buildServiceMonitor(app(), monitor, [availability]);
    expect(monitor).toEqual(before);
  });

  test("D-68: a query that can't be read takes none of the others with it", () => {
    const broken = changed({ totalQuery: "sum(rate(broken[", errorQuery: "b_metric / a_metric" });
    expect(metricsRegex([broken, availability])).toBe("a_metric|b_metric|test_metric");
  });
});
