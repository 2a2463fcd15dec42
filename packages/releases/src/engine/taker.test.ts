import { describe, expect, test } from "vitest";
import type { Incarnation } from "./incarnation.ts";
import { findTaker } from "./rollback.ts";

function incarnation(tag: string, state: string, { failed = false, test: tested = "disabled" } = {}): Incarnation {
  const status = { tag, peakPercent: 100, currentPercent: 10 };
  return {
    tag,
    state,
    status,
    revision: { spec: { failed } },
    settings: { test: { status: tested } },
  } as unknown as Incarnation;
}

describe("who takes over (§6.10)", () => {
  const v1 = incarnation("v1", "released");
  test.each([
    ["the newest that serves", [incarnation("v2", "releasing"), v1], "v2"],
    ["none that is marked failed", [incarnation("v2", "releasing", { failed: true }), v1], "v1"],
    ["none whose test has failed", [incarnation("v2", "released", { test: "failed" }), v1], "v1"],
    ["one that has served before, if none serves", [incarnation("v2", "retired")], "v2"],
    ["nobody, if all have failed", [incarnation("v2", "retired", { failed: true })], undefined],
  ])("%s", (_name, incarnations, taker) => {
    expect(findTaker(incarnations)?.tag).toBe(taker);
  });
});
