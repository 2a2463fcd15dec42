import type { IncarnationStatus, ReleaseManagerStatus } from "@chaski/api";
import { expect, test } from "vitest";
import { aReleaseManager } from "../../test/worlds.ts";
import { decidesAhead, tellsOnlyCounts } from "./status-changes.ts";

const entry = (change: Partial<IncarnationStatus> = {}): IncarnationStatus => ({
  tag: "v1",
  state: { current: "deploying", target: "deploying" },
  currentPercent: 0,
  peakPercent: 0,
  releaseEligible: true,
  lastUpdated: null,
  scale: { Current: 1, Desired: 2, Peak: 1 },
  ...change,
});
const status = (change: Partial<IncarnationStatus> = {}): ReleaseManagerStatus => ({
  lastUpdated: null,
  revisions: [entry(change)],
});
const state = { current: "deployed", target: "deployed" };

test.each([
  { what: "another state", change: { state }, isAhead: true, isLater: false },
  { what: "another state with other traffic", change: { state, currentPercent: 10 }, isAhead: false, isLater: false },
  { what: "other traffic", change: { currentPercent: 10 }, isAhead: false, isLater: false },
  { what: "another pod", change: { scale: { Current: 2, Desired: 2, Peak: 2 } }, isAhead: false, isLater: true },
  { what: "a drain that begins", change: { unrouted: [{ cluster: "c", since: "" }] }, isAhead: false, isLater: false },
])("$what: decided ahead $isAhead, told later $isLater", ({ change, isAhead, isLater }) => {
  const saved = { ...aReleaseManager([]), status: status() };
  expect(decidesAhead(saved, status(change))).toBe(isAhead);
  expect(tellsOnlyCounts(saved.status, status(change))).toBe(isLater);
});
