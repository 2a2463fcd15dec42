import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isEqualJson, stableJson } from "./index.ts";

test.each([
  { what: "a list is no object with its indices", a: ["x"], b: { 0: "x" } },
  { what: "a field that is missing is not one that is null", a: { a: null }, b: {} },
  { what: "fields count by name, not by number", a: { a: undefined }, b: { b: undefined } },
  { what: "a longer list is another", a: [1], b: [1, 2] },
  { what: "text is not a number", a: "1", b: 1 },
])("$what", ({ a, b }) => {
  expect([isEqualJson(a, b), isEqualJson(b, a)]).toEqual([false, false]);
});

test("it agrees with the values' stable text", () => {
  const few = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
  fc.assert(
    fc.property(few, few, (a, b) => {
      expect(isEqualJson(a, structuredClone(a))).toBe(true);
      expect(isEqualJson(a, b)).toBe(stableJson(a) === stableJson(b));
    }),
  );
});
