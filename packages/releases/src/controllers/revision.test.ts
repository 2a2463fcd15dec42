import type { ReleaseManager } from "@chaski/api";
import type { WakeContext } from "@chaski/runtime";
import { expect, test } from "vitest";
import { aReleaseManager, anEntry } from "../../test/worlds.ts";
import { defaultCalendar, defaultFlags } from "../index.ts";
import { revisionController } from "./revision.ts";

const { wakeOn } = revisionController(
  { flags: defaultFlags, calendars: [defaultCalendar], judges: [] },
  { concurrency: 1, syncPeriodMs: 15_000 },
);

function release(state: string, currentPercent: number, isReleased: "True" | "False"): ReleaseManager {
  const condition = { type: "Released", status: isReleased, reason: "AsSaid", message: `${currentPercent} %` };
  const conditions = [{ ...condition, lastTransitionTime: "2026-03-04T18:00:00Z" }];
  return aReleaseManager([anEntry("v2", { state, currentPercent })], {}, { conditions });
}

test.each([
  { what: "another percent", old: release("releasing", 10, "False"), urgency: "later" },
  { what: "another state", old: release("pendingrelease", 20, "False"), urgency: "soon" },
  { what: "a condition that turns", old: release("releasing", 20, "True"), urgency: "soon" },
  { what: "a release that nobody knew", old: undefined, urgency: "soon" },
])("$what is reported $urgency", ({ old, urgency }) => {
  const [rule] = wakeOn;
  expect(rule?.urgencyOf?.(release("releasing", 20, "False"), old, {} as WakeContext)).toBe(urgency);
});
