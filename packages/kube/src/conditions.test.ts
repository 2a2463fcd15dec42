import { describe, expect, test } from "vitest";
import { type Condition, type ConditionClaim, findCondition, isTrue, setConditions } from "./index.ts";

const ready: Condition = {
  type: "Ready",
  status: "False",
  reason: "Starting",
  message: "no pod is ready",
  lastTransitionTime: "2026-01-01T00:00:00Z",
  observedGeneration: 1,
};
const other: Condition = { ...ready, type: "Progressing", status: "True" };
const now = "2026-01-01T00:05:00Z";

describe("setting conditions", () => {
  test.each<{ what: string; claim: Partial<ConditionClaim>; since: string }>([
    { what: "moves the transition time when the status changes", claim: { status: "True" }, since: now },
    { what: "keeps it when only the reason changes", claim: { reason: "Pulling" }, since: ready.lastTransitionTime },
    {
      what: "keeps it when only the message changes",
      claim: { message: "one of two" },
      since: ready.lastTransitionTime,
    },
    {
      what: "keeps it when only the generation changes",
      claim: { observedGeneration: 2 },
      since: ready.lastTransitionTime,
    },
  ])("$what, and updates the rest", ({ claim, since }) => {
    const { lastTransitionTime: _before, ...before } = ready;
    const after = setConditions([ready, other], [{ ...before, ...claim }], now);
    expect(after).toEqual([{ ...ready, ...claim, lastTransitionTime: since }, other]);
  });

  test("adds a type that was not there, as of now", () => {
    const claim: ConditionClaim = { type: "Released", status: "Unknown", reason: "New", message: "" };
    expect(setConditions(undefined, [claim], now)).toEqual([{ ...claim, lastTransitionTime: now }]);
    expect(setConditions([ready], [claim], now)).toEqual([ready, { ...claim, lastTransitionTime: now }]);
  });

  test("several at once stand in the order in which they came", () => {
    const claims = ["Released", "Ready"].map((type): ConditionClaim => ({ ...other, type }));
    expect(setConditions([ready], claims, now).map(({ type, status }) => [type, status])).toEqual([
      ["Ready", "True"],
      ["Released", "True"],
    ]);
  });
});

test("a condition is true only when it is there and True", () => {
  expect(isTrue([ready, other], "Progressing")).toBe(true);
  expect(isTrue([ready], "Ready")).toBe(false);
  expect(isTrue([{ ...ready, status: "Unknown" }], "Ready")).toBe(false);
  expect(isTrue(undefined, "Ready")).toBe(false);
  expect(findCondition([ready, other], "Progressing")).toBe(other);
});
