import { describe, expect, test } from "vitest";
import { loadOfOthers } from "./capacity.ts";

const entry = (tag: string, currentPercent: number, Current: number, peakPercent = currentPercent) => ({
  tag,
  currentPercent,
  peakPercent,
  scale: { Current, Desired: Current, Peak: Current },
});

describe("what the others carry (§6.6)", () => {
  test("own pods are not counted", () => {
    expect(loadOfOthers([entry("v1", 85, 163, 100), entry("v2", 15, 144)], "v2")).toEqual({
      pods: 163,
      percent: 85,
      hasFallenFromFull: true,
    });
  });

  test("what has no traffic, or no pod, carries nothing", () => {
    expect(loadOfOthers([entry("v1", 0, 20), entry("v2", 50, 0)], "v3")).toEqual({
      pods: 0,
      percent: 0,
      hasFallenFromFull: false,
    });
  });
});
