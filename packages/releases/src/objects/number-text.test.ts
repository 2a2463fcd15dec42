import { describe, expect, test } from "vitest";
import { formatGeneral, formatMilli, readFloat } from "./number-text.ts";

test.each([
  [1 / 100, "0.01"],
  [100 / 100, "1"],
  [0.01 / 100, "0.0001"],
  [0.001 / 100, "1e-05"],
  [0, "0"],
  [1 / 3, "0.3333333333"],
  [0.1 + 0.2, "0.3"],
  [12_345_678_901, "1.23456789e+10"],
])("%d prints as %s", (value, text) => {
  expect(formatGeneral(value)).toBe(text);
});

test.each([
  [5000, "5"],
  [2500, "2.5"],
  [1, "0.001"],
  [1_000_000_000_000_000, "1000000000000"],
])("%d thousandths are %s", (milli, text) => {
  expect(formatMilli(milli)).toBe(text);
});

describe("reading a float", () => {
  test.each([
    ["99.999", 99.999],
    ["1e-2", 0.01],
    ["", undefined],
    ["0x10", undefined],
    ["12 %", undefined],
    ["NaN", undefined],
  ])("%j is %s", (text, value) => {
    expect(readFloat(text)).toBe(value);
  });
});
