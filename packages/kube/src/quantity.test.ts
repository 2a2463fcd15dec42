import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compareQuantities,
  formatQuantity,
  normalizeQuantity,
  parseQuantity,
  type Quantity,
  roundUpToMilli,
} from "./index.ts";

function quantity(text: string | number): Quantity {
  const parsed = parseQuantity(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.problem}`);
  return parsed.value;
}

describe("a quantity", () => {
  // Both columns as Kubernetes 1.35 (k8s.io/apimachinery) prints them.
  test.each([
    { text: "0", canonical: "0", answered: "0" },
    { text: "-0", canonical: "0", answered: "0" },
    { text: "100m", canonical: "100m", answered: "100m" },
    { text: "0.1", canonical: "100m", answered: "100m" },
    { text: "1000m", canonical: "1", answered: "1" },
    { text: "-1.5", canonical: "-1500m", answered: "-1500m" },
    { text: "1500", canonical: "1500", answered: "1500" },
    { text: "1000", canonical: "1k", answered: "1k" },
    { text: ".5", canonical: "500m", answered: "500m" },
    { text: "5.", canonical: "5", answered: "5." },
    { text: "1024Ki", canonical: "1Mi", answered: "1Mi" },
    { text: "1.5Gi", canonical: "1536Mi", answered: "1536Mi" },
    { text: "0.5Gi", canonical: "512Mi", answered: "512Mi" },
    { text: "0.5Ki", canonical: "512", answered: "512" },
    { text: "1000Ki", canonical: "1000Ki", answered: "1000Ki" },
    { text: "1.23456789012345Ki", canonical: "1264197519487n", answered: "1264197519487n" },
    { text: "9Ei", canonical: "9223372036854775807", answered: "9223372036854775807" },
    { text: "1e3", canonical: "1e3", answered: "1e3" },
    { text: "1e4", canonical: "10e3", answered: "10e3" },
    { text: "12E-1", canonical: "1200e-3", answered: "1200e-3" },
    { text: "1E", canonical: "1E", answered: "1E" },
    { text: "0.1n", canonical: "1n", answered: "1n" },
    { text: "-0.1n", canonical: "-1n", answered: "-1n" },
    { text: "1e-400", canonical: "1e-9", answered: "1e-9" },
    { text: "1E3", canonical: "1e3", answered: "1E3" },
    { text: "1.500", canonical: "1500m", answered: "1.500" },
    { text: "+1", canonical: "1", answered: "+1" },
    { text: "01", canonical: "1", answered: "01" },
    { text: "m", canonical: "0", answered: "0" },
  ])("$text is $canonical, and an API server answers $answered", ({ text, canonical, answered }) => {
    expect(formatQuantity(quantity(text))).toBe(canonical);
    expect(normalizeQuantity(text)).toEqual({ ok: true, value: answered });
  });

  test("keeps its value beyond the last suffix, where Kubernetes loses it", () => {
    expect(formatQuantity(quantity("1000E"))).toBe("1e21");
  });

  test.each([
    { text: "100.5m", rounded: "101m" },
    { text: "-1u", rounded: "-1m" },
    { text: "2Gi", rounded: "2Gi" },
    { text: "0", rounded: "0" },
  ])("$text as an amount of a resource is $rounded", ({ text, rounded }) => {
    expect(formatQuantity(roundUpToMilli(quantity(text)))).toBe(rounded);
  });

  test("may be a JSON number", () => {
    expect(formatQuantity(quantity(0.25))).toBe("250m");
  });

  test.each([
    { text: "", problem: "quantities must match the regular expression" },
    { text: "1 Gi", problem: "quantities must match the regular expression" },
    { text: "1,5", problem: "quantities must match the regular expression" },
    { text: "9".repeat(100_000), problem: "quantities must match the regular expression" },
    { text: "Ei", problem: "unable to parse numeric part of quantity" },
    { text: "1e99999999", problem: "unable to parse numeric part of quantity" },
    { text: "1e", problem: "unable to parse quantity's suffix" },
    { text: "1kk", problem: "unable to parse quantity's suffix" },
    { text: "1K", problem: "unable to parse quantity's suffix" },
  ])("can't be read from $text", ({ text, problem }) => {
    expect(parseQuantity(text)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
    expect(normalizeQuantity(text)).toEqual(parseQuantity(text));
  });

  test.each([
    { less: "999m", more: "1" },
    { less: "1000Ki", more: "1Mi" },
    { less: "1G", more: "1Gi" },
    { less: "-2", more: "-1" },
    { less: "0", more: "1n" },
  ])("$less is less than $more", ({ less, more }) => {
    expect(compareQuantities(quantity(less), quantity(more))).toBe(-1);
    expect(compareQuantities(quantity(more), quantity(less))).toBe(1);
  });

  const formats = fc.constantFrom("DecimalSI", "BinarySI", "DecimalExponent");
  const quantities = fc.record({ nanos: fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }), format: formats });

  test("keeps its value through its canonical form, which is a fixed point", () => {
    fc.assert(
      fc.property(quantities, (value) => {
        const text = formatQuantity(value);
        expect(quantity(text).nanos).toBe(value.nanos);
        expect(formatQuantity(quantity(text))).toBe(text);
      }),
    );
  });

  test("never throws, whatever the text", () => {
    const nearly = fc.stringMatching(/^[-+0-9.eEinumkKMGTP ]{0,12}$/);
    fc.assert(
      fc.property(fc.oneof(fc.string(), nearly), (text) => {
        const answered = normalizeQuantity(text);
        if (answered.ok) expect(compareQuantities(quantity(answered.value), quantity(text))).toBe(0);
      }),
    );
  });
});
