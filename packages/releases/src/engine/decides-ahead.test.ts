import type { IncarnationStatus, ReleaseManagerStatus } from "@chaski/api";
import { expect, test } from "vitest";
import { aReleaseManager } from "../../test/worlds.ts";
import { decidesAhead } from "./decides-ahead.ts";

const status = (change: Partial<IncarnationStatus> = {}): ReleaseManagerStatus => ({
  lastUpdated: null,
  revisions: [
    {
      tag: "v1",
      state: { current: "deploying", target: "deploying" },
      currentPercent: 0,
      peakPercent: 0,
      releaseEligible: true,
      lastUpdated: null,
      scale: { Current: 1, Desired: 2, Peak: 1 },
      ...change,
    },
  ],
});
const state = { current: "deployed", target: "deployed" };

test.each([
  { what: "another state", change: { state }, isAhead: true },
  { what: "another state with other traffic", change: { state, currentPercent: 10 }, isAhead: false },
  { what: "other traffic", change: { currentPercent: 10 }, isAhead: false },
  { what: "another pod", change: { scale: { Current: 2, Desired: 2, Peak: 2 } }, isAhead: false },
])("$what: what follows is decided at once: $isAhead", ({ change, isAhead }) => {
  expect(decidesAhead({ ...aReleaseManager([]), status: status() }, status(change))).toBe(isAhead);
});
