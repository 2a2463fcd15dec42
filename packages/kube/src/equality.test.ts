import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { semanticallyEqual } from "./index.ts";

const limits = (cpu: unknown) => ({ limits: { cpu } });
const pod = (cpu: string, extra = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web" },
  spec: { containers: [{ name: "web", resources: limits(cpu) }], ...extra },
});

describe("two values are semantically equal", () => {
  test.each([
    { what: "absent and empty map", a: { labels: {} }, b: {}, isEqual: true },
    { what: "null and empty list", a: { finalizers: [] }, b: { finalizers: null }, isEqual: true },
    { what: "nothing but empties", a: { spec: { a: {}, b: [] } }, b: undefined, isEqual: true },
    { what: "absent and zero", a: { replicas: 0 }, b: {}, isEqual: false },
    { what: "absent and false", a: { paused: false }, b: {}, isEqual: false },
    { what: "lists in another order", a: [1, 2], b: [2, 1], isEqual: false },
    { what: "a list with an empty item", a: [{}], b: [], isEqual: false },
    { what: "number and text", a: { port: 80 }, b: { port: "80" }, isEqual: false },
    { what: "text that could be quantities", a: { cpu: "1000m" }, b: { cpu: "1" }, isEqual: false },
    { what: "quantities of a built-in kind", a: pod("1000m"), b: pod("1"), isEqual: true },
    { what: "quantities that a server rounds to the same", a: pod("100.5m"), b: pod("101m"), isEqual: true },
    { what: "other quantities", a: pod("1001m"), b: pod("1"), isEqual: false },
    { what: "a field more", a: pod("1", { nodeName: "n" }), b: pod("1"), isEqual: false },
  ])("$what: $isEqual", ({ a, b, isEqual }) => {
    expect(semanticallyEqual(a, b)).toBe(isEqual);
    expect(semanticallyEqual(b, a)).toBe(isEqual);
  });

  test("and a field counts that is named like what every object has", () => {
    const [labels, fewer] = [{ app: "web", toString: "x" }, { app: "web" }];
    expect(semanticallyEqual(labels, fewer)).toBe(false);
    expect(semanticallyEqual(fewer, labels)).toBe(false);
  });

  test("by the rules of a named type, built-in or the caller's own", () => {
    expect(semanticallyEqual(limits("0.5"), limits("500m"), { type: "ResourceRequirements" })).toBe(true);
    expect(semanticallyEqual(limits(2), limits("2"), { type: "ResourceRequirements" })).toBe(true);
    expect(semanticallyEqual(limits("a"), limits("b"), { type: "ResourceRequirements" })).toBe(false);
    const rules = { Target: { resources: { type: "ResourceRequirements" } } };
    const [a, b] = [{ resources: limits("1Gi") }, { resources: limits("1024Mi") }];
    expect(semanticallyEqual(a, b, { type: "Target", rules })).toBe(true);
    expect(semanticallyEqual(a, b)).toBe(false);
  });

  test("when one is a copy, or has empties added", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        expect(semanticallyEqual(value, structuredClone(value))).toBe(true);
        expect(semanticallyEqual(value, { ...value, ["\u0000new"]: { nested: [] } })).toBe(true);
      }),
    );
  });
});
