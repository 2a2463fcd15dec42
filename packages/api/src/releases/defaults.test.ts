import { describe, expect, test } from "vitest";
import { defaultPort, defaultTarget } from "./defaults.ts";

describe("scenario 4: defaults of an empty target", () => {
  const target = defaultTarget({ name: "production", fleet: "main", scale: {} });

  test("release", () => {
    expect(target.release).toEqual({
      max: 100,
      schedule: "inhumane",
      scalingStrategy: "geometric",
      ttl: 432_000,
      geometricScaling: { start: 10, factor: 2, delay: "10s" },
      linearScaling: { increment: 5, delay: "10s" },
    });
  });

  test("scale", () => {
    expect(target.scale).toEqual({ min: 1, default: 1, max: 1, requestsRateMetric: "istio_requests_rate" });
  });

  test("a port", () => {
    expect(defaultPort({ name: "http", mode: "" })).toEqual({
      name: "http",
      mode: "private",
      ingressPort: 443,
      port: 80,
      containerPort: 80,
      protocol: "TCP",
    });
  });

  test("an external test waits two hours", () => {
    const externalTest = { enabled: true, started: false, completed: false };
    expect(defaultTarget({ name: "p", fleet: "f", scale: {}, externalTest }).externalTest?.timeout).toBe("2h");
  });
});

describe("scale defaults", () => {
  test.each([
    { scale: { min: 16, max: 96 }, becomes: 16 },
    { scale: { min: 0, max: 96 }, becomes: 1 },
    { scale: { min: 16, default: 48, max: 96 }, becomes: 48 },
    { scale: { max: 96 }, becomes: 1 },
  ])("$scale → default $becomes", ({ scale, becomes }) => {
    expect(defaultTarget({ name: "p", fleet: "f", scale }).scale.default).toBe(becomes);
  });

  test("D-13, D-33: a factor below 2 acts as 2, an increment of 0 as 1", () => {
    const release = { geometricScaling: { factor: 1 }, linearScaling: { increment: 0 } };
    expect(defaultTarget({ name: "p", fleet: "f", scale: {}, release }).release).toMatchObject({
      geometricScaling: { factor: 2 },
      linearScaling: { increment: 1 },
    });
  });

  test("D-20: a missing minimum is 1, or 0 where nothing may run", () => {
    expect(defaultTarget({ name: "p", fleet: "f", scale: { max: 8 } }).scale.min).toBe(1);
  });
});
