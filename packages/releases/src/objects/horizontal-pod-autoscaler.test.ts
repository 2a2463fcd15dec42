import { expect, test } from "vitest";
import { echoApp, TAG } from "../../test/echo.ts";
import { expectGolden } from "../../test/golden.ts";
import { buildHorizontalPodAutoscaler } from "./horizontal-pod-autoscaler.ts";

const requestsRateMetric = "istio_requests_rate";

test("every metric, in order", () => {
  const plan = { type: "hpa", cpuPercent: 35, memoryPercent: 60, requestsRateMilli: 2500, requestsRateMetric } as const;
  const built = buildHorizontalPodAutoscaler(echoApp(), TAG, plan, { min: 2, max: 5 });
  return expectGolden(built, "horizontal-pod-autoscaler");
});

test("no metrics, no autoscaler", () => {
  const plan = { type: "hpa", requestsRateMetric } as const;
  expect(buildHorizontalPodAutoscaler(echoApp(), TAG, plan, { min: 2, max: 5 })).toBeUndefined();
});

test("a maximum below the minimum is raised to it", () => {
  const plan = { type: "hpa", cpuPercent: 30, requestsRateMetric } as const;
  const { minReplicas, maxReplicas } =
    buildHorizontalPodAutoscaler(echoApp(), TAG, plan, { min: 6, max: 3 })?.spec ?? {};
  expect([minReplicas, maxReplicas]).toEqual([6, 6]);
});
