import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { echoApp } from "../../test/echo.ts";
import { expectGolden } from "../../test/golden.ts";
import {
  buildWaypointAutoscaler,
  buildWaypointBudget,
  buildWaypointGateway,
  buildWaypointOptions,
  type WaypointPlan,
} from "./waypoint.ts";

const plan: WaypointPlan = {
  minReplicas: 4,
  maxReplicas: 4,
  targetCpuPercent: 70,
  resources: { requests: { memory: "128Mi", cpu: "100m" }, limits: { memory: "1Gi", cpu: "0" } },
};

describe("the waypoint", () => {
  test("options", () => expectGolden(buildWaypointOptions(echoApp(), plan), "waypoint-options"));
  test("gateway", () => expectGolden(buildWaypointGateway(echoApp()), "waypoint-gateway"));
  test("D-53: budget, of the final minimum", () =>
    expectGolden(buildWaypointBudget(echoApp(), plan), "waypoint-budget"));
  test("autoscaler", () => expectGolden(buildWaypointAutoscaler(echoApp(), plan), "waypoint-autoscaler"));
});

describe("the patch of its Deployment", () => {
  const patchFor = (resources?: WaypointPlan["resources"]) => {
    const { data } = buildWaypointOptions(echoApp(), { ...plan, resources: resources ?? {} });
    return (parse(data?.["deployment"] ?? "") as { spec: { template: { spec: Record<string, unknown> } } }).spec
      .template;
  };

  test("is YAML that says where the pods may run and what they may use", () => {
    expect(patchFor(plan.resources ?? {}).spec["containers"]).toEqual([
      { name: "istio-proxy", resources: { limits: { memory: "1Gi" }, requests: { cpu: "100m", memory: "128Mi" } } },
    ]);
  });

  test("names no container where nothing is asked for", () => {
    expect(patchFor({ limits: { cpu: "0m" } }).spec).not.toHaveProperty("containers");
  });
});
