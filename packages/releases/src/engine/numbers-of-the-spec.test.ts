// The numeric examples of the specification (§6, §16), as tables.
import { describe, expect, test } from "vitest";
import { baseCapacity, canRampTo, type Load, neededFor } from "./capacity.ts";
import { divide, expectedTotal, perClusterFor } from "./replicas.ts";
import type { ScaleSettings, Strategy } from "./settings.ts";
import { nextIncrement } from "./strategy.ts";

const linear = (increment: number): Strategy => ({ type: "linear", increment, delayMs: 0 });
const geometric = (start: number, factor: number): Strategy => ({ type: "geometric", start, factor, delayMs: 0 });

describe("scenario 5: strategies", () => {
  test.each([
    { strategy: linear(5), from: 0, limit: 100, max: 100, to: 5 },
    { strategy: linear(5), from: 100, limit: 100, max: 100, to: 100 },
    { strategy: linear(5), from: 50, limit: 50, max: 100, to: 50 },
    { strategy: linear(5), from: 50, limit: 100, max: 50, to: 50 },
    { strategy: linear(5), from: 50, limit: 100, max: 100, to: 55 },
    { strategy: linear(5), from: 50, limit: 0, max: 100, to: 0 },
    { strategy: geometric(5, 2), from: 0, limit: 100, max: 100, to: 5 },
    { strategy: geometric(5, 2), from: 25, limit: 100, max: 100, to: 50 },
    { strategy: geometric(5, 2), from: 50, limit: 100, max: 100, to: 100 },
    { strategy: geometric(5, 2), from: 0, limit: 80, max: 100, to: 5 },
    { strategy: geometric(5, 2), from: 90, limit: 80, max: 100, to: 80 },
  ])("$strategy.type from $from, limit $limit, max $max → $to", ({ strategy, from, limit, max, to }) => {
    expect(nextIncrement({ strategy, max }, from, limit)).toBe(to);
  });
});

describe("scenario 9: division", () => {
  test.each([
    { count: 5, percent: 100, clusters: 4, pods: 2 },
    { count: 5, percent: 80, clusters: 4, pods: 1 },
    { count: 5, percent: 81, clusters: 4, pods: 2 },
    { count: 8, percent: 100, clusters: 1, pods: 8 },
    { count: 8, percent: 100, clusters: 2, pods: 4 },
    { count: 8, percent: 100, clusters: 3, pods: 3 },
    { count: 100, percent: 7, clusters: 1, pods: 8 },
    { count: 10, percent: 0, clusters: 2, pods: 1 },
    { count: 10, percent: 100, clusters: 0, pods: 10 },
  ])("$percent % of $count on $clusters clusters: $pods each", ({ count, percent, clusters, pods }) => {
    expect(divide(count, percent, clusters)).toBe(pods);
  });

  test.each([
    { count: 5, percent: 81, factors: [1, 1, 1, 1], pods: 8 },
    { count: 5, percent: 81, factors: [2, 2, 3, 1], pods: 16 },
    { count: 40, percent: 20, factors: [1, 0.5], pods: 6 },
  ])("$percent % of $count at $factors: $pods in all", ({ count, percent, factors, pods }) => {
    expect(expectedTotal(count, percent, factors)).toBe(pods);
  });

  test("D-12: no live cluster needs no pods", () => {
    expect(expectedTotal(10, 100, [])).toBe(0);
  });

  test("D-44: factors 1.0 and 0.5 have 6 pods with 4 per cluster", () => {
    expect(perClusterFor(6, [1, 0.5])).toBe(4);
  });
});

const four = [1, 1, 1, 1];
const nobody: Load = { pods: 0, percent: 0, hasFallenFromFull: false };
const others: Load = { pods: 36, percent: 90, hasFallenFromFull: false };

function scale(given: Partial<ScaleSettings>): ScaleSettings {
  return {
    min: 1,
    default: 1,
    max: 100,
    autoscaler: "metrics",
    cpuPercent: 70,
    memoryPercent: undefined,
    requestsRateMilli: undefined,
    ...given,
  };
}

describe("scenario 10: CanRampTo", () => {
  test("36 pods at 90 %: 30 % needs 11 of a base of 40", () => {
    const capacity = { scale: scale({}), load: others, factors: four };
    expect(baseCapacity(scale({}), others)).toBe(40);
    expect(neededFor(capacity, 30)).toBe(11);
    expect(canRampTo({ ...capacity, ready: 11 }, 30)).toBe(true);
    expect(canRampTo({ ...capacity, ready: 4 }, 30)).toBe(false);
  });

  test("the maximum caps the need", () => {
    expect(neededFor({ scale: scale({ max: 100 }), load: others, factors: four }, 100)).toBe(36);
    expect(neededFor({ scale: scale({ max: 20 }), load: others, factors: four }, 100)).toBe(20);
  });

  test("nothing else serves: the base is the minimum", () => {
    expect(baseCapacity(scale({ min: 1 }), nobody)).toBe(1);
  });

  test("without a minimum: no", () => {
    expect(canRampTo({ scale: scale({ min: undefined }), load: nobody, factors: four, ready: 100 }, 5)).toBe(false);
  });
});

describe("base capacity", () => {
  test.each([
    { pods: 120, percent: 60, hasFallen: true, autoscaler: "metrics" as const, min: 10, base: 120 },
    { pods: 60, percent: 60, hasFallen: false, autoscaler: "metrics" as const, min: 10, base: 100 },
    { pods: 163, percent: 15, hasFallen: true, autoscaler: "metrics" as const, min: 10, base: 163 },
    { pods: 36, percent: 90, hasFallen: true, autoscaler: "none" as const, min: 10, base: 10 },
    { pods: 36, percent: 90, hasFallen: true, autoscaler: "none" as const, min: 0, base: 100 },
  ])(
    "$pods pods at $percent %, autoscaler $autoscaler → $base",
    ({ pods, percent, hasFallen, autoscaler, min, base }) => {
      expect(baseCapacity(scale({ autoscaler, min }), { pods, percent, hasFallenFromFull: hasFallen })).toBe(base);
    },
  );
});
