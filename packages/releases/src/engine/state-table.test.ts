// Scenario 25 and every row of the state table (§5.5, §17.1).
import { describe, expect, test } from "vitest";
import { type Facts, limitOf, step } from "./state-table.ts";
import { readState, type State, states } from "./states.ts";

const calm: Facts = {
  hasRevision: true,
  isMarkedFailed: false,
  test: "disabled",
  isTestTimingOut: false,
  hasTestTimeout: false,
  isDeployed: true,
  isEligible: true,
  isCanaryPending: false,
  isDatadog: false,
  isExpired: false,
  isScheduled: true,
  isPaused: false,
  hasTraffic: false,
  isFullyReleased: false,
  isDrained: true,
  isGone: true,
  isTaker: false,
  isOverdue: false,
};

type Row = readonly [State, Partial<Facts>, State];

const rows: readonly Row[] = [
  ["created", {}, "deploying"],
  ["created", { hasRevision: false }, "deleting"],
  ["created", { isOverdue: true }, "timingout"],
  ["deploying", { isDeployed: false }, "deploying"],
  ["deploying", {}, "deployed"],
  ["deploying", { isDeployed: false, isOverdue: true }, "timingout"],
  ["deploying", { isOverdue: true }, "deployed"],
  ["deploying", { isMarkedFailed: true }, "failing"],
  ["deployed", { isMarkedFailed: true }, "failing"],
  ["deployed", { test: "failed" }, "failing"],
  ["deployed", { isDeployed: false }, "deploying"],
  ["deployed", { test: "pending" }, "pendingtest"],
  ["deployed", { test: "started" }, "testing"],
  ["deployed", { test: "succeeded" }, "tested"],
  ["deployed", { isCanaryPending: true }, "canarying"],
  ["deployed", { isCanaryPending: true, isDatadog: true }, "canaryingdatadog"],
  ["deployed", {}, "pendingrelease"],
  ["deployed", { isEligible: false }, "deployed"],
  ["deployed", { isEligible: false, isExpired: true }, "retiring"],
  ["pendingtest", { test: "pending" }, "pendingtest"],
  ["pendingtest", { test: "started" }, "testing"],
  ["pendingtest", { test: "succeeded" }, "tested"],
  ["pendingtest", { test: "pending", isTestTimingOut: true }, "timingout"],
  ["pendingtest", { test: "pending", isOverdue: true }, "timingout"],
  ["pendingtest", { test: "pending", isOverdue: true, hasTestTimeout: true }, "pendingtest"],
  ["testing", { test: "started", isMarkedFailed: true }, "testing"],
  ["testing", { test: "failed" }, "failing"],
  ["testing", { test: "succeeded" }, "tested"],
  ["testing", { test: "pending" }, "pendingtest"],
  ["testing", { test: "disabled" }, "deploying"],
  ["testing", { test: "started", isOverdue: true, hasTestTimeout: true }, "testing"],
  ["testing", { test: "started", isOverdue: true }, "timingout"],
  ["tested", { test: "succeeded", isCanaryPending: true }, "canarying"],
  ["tested", { test: "succeeded" }, "pendingrelease"],
  ["tested", { test: "succeeded", isEligible: false, isOverdue: true }, "tested"],
  ["tested", { test: "succeeded", isEligible: false, isExpired: true }, "retiring"],
  ["tested", { test: "started" }, "testing"],
  ["canarying", { isCanaryPending: true }, "canarying"],
  ["canarying", {}, "canaried"],
  ["canarying", { isMarkedFailed: true }, "failing"],
  ["canaried", {}, "pendingrelease"],
  ["canaried", { isEligible: false }, "canaried"],
  ["canaryingdatadog", { isCanaryPending: true }, "canaryingdatadog"],
  ["canaryingdatadog", {}, "canarieddatadog"],
  ["canaryingdatadog", { isMarkedFailed: true }, "failing"],
  ["canarieddatadog", {}, "pendingrelease"],
  ["canarieddatadog", { hasRevision: false }, "deleting"],
  ["pendingrelease", {}, "releasing"],
  ["pendingrelease", { isScheduled: false }, "pendingrelease"],
  ["pendingrelease", { isPaused: true }, "pendingrelease"],
  ["pendingrelease", { isEligible: false }, "retiring"],
  ["releasing", {}, "releasing"],
  ["releasing", { isFullyReleased: true }, "released"],
  ["releasing", { isEligible: false }, "retiring"],
  ["released", {}, "released"],
  ["released", { isMarkedFailed: true }, "failing"],
  ["released", { isEligible: false }, "retiring"],
  ["retiring", { hasTraffic: true, isEligible: false }, "retiring"],
  ["retiring", {}, "deploying"],
  ["retiring", { isEligible: false, isDrained: false }, "retiring"],
  ["retiring", { isEligible: false }, "retired"],
  ["retiring", { isTaker: true, hasTraffic: true }, "releasing"],
  ["retired", { isEligible: false }, "retired"],
  ["retired", {}, "deploying"],
  ["retired", { isTaker: true }, "releasing"],
  ["retired", { isTaker: true, isMarkedFailed: true }, "failing"],
  ["deleting", { hasRevision: false, hasTraffic: true }, "deleting"],
  ["deleting", { hasRevision: false, isDrained: false }, "deleting"],
  ["deleting", { hasRevision: false, isGone: false }, "deleting"],
  ["deleting", { hasRevision: false }, "deleted"],
  ["deleting", {}, "deploying"],
  ["deleted", { hasRevision: false }, "deleted"],
  ["deleted", {}, "deploying"],
  ["failing", { isMarkedFailed: true, hasTraffic: true }, "failing"],
  ["failing", { isMarkedFailed: true, isDrained: false }, "failing"],
  ["failing", { test: "failed" }, "failed"],
  ["failing", {}, "deploying"],
  ["failed", { isMarkedFailed: true }, "failed"],
  ["failed", {}, "deploying"],
  ["timingout", {}, "timingout"],
  ["timingout", { isMarkedFailed: true }, "failing"],
];

describe("the state table", () => {
  test.each(rows)("%s, %o → %s", (from, facts, to) => {
    expect(step(from, { ...calm, ...facts }).to).toBe(to);
  });

  test("D-15: without a Revision everything drains and goes", () => {
    const gone = { ...calm, hasRevision: false, test: "unknown" as const, isEligible: false };
    const stay = new Set<State>(["deleting", "deleted", "retiring"]);
    for (const state of states) {
      expect([state, step(state, gone).to]).toEqual([
        state,
        stay.has(state) ? (state === "retiring" ? "deleting" : "deleted") : "deleting",
      ]);
    }
  });

  test("D-09: a word that is no state is told from one in another case", () => {
    expect(readState("nonsense")).toBeUndefined();
    expect(readState(7)).toBeUndefined();
    expect(readState("canaryingDatadog")).toBe("canaryingdatadog");
    expect(readState("")).toBe("created");
  });

  test("D-80: limits are configurable", () => {
    expect(limitOf("deploying", {})).toBe(15 * 60_000);
    expect(limitOf("deploying", { deploying: 30 * 60_000 })).toBe(30 * 60_000);
    expect(limitOf("created", {})).toBe(3_600_000);
  });
});
