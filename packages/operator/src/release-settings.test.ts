import type { OperatorConfig } from "@chaski/api";
import { VirtualClock } from "@chaski/clock";
import { expect, test } from "vitest";
import type { Configured } from "./config/followed-config.ts";
import { FollowedSettings, RELEASES_DEFAULTS, type ReleasesGiven } from "./release-settings.ts";

const head = { apiVersion: "chaski.dev/v1alpha1", kind: "OperatorConfig" } as const;

function settings(given: Partial<ReleasesGiven> = {}, config: Omit<OperatorConfig, keyof typeof head> = {}) {
  const file: { current: Configured } = { current: { config: { ...head, ...config }, calendars: [] } };
  const followed = new FollowedSettings({ ...RELEASES_DEFAULTS, ...given }, () => file.current, new VirtualClock());
  return { file, settings: followed };
}

test("without a configuration file everything is as Picchu has it", () => {
  const followed = new FollowedSettings(RELEASES_DEFAULTS, () => ({ calendars: [] }), new VirtualClock());
  expect(followed.flags).toMatchObject({ judgeUntilPercent: 50, stateLimitsMs: {}, judges: [] });
});

test("D-80: the time that a state may take is configurable, and follows the file", () => {
  const { file, settings: followed } = settings({}, { timeouts: { deploying: "30m" } });
  expect(followed.flags.stateLimitsMs).toEqual({ deploying: 1_800_000 });
  file.current = { config: { ...head, timeouts: { deploying: "1h" } }, calendars: [] };
  expect(followed.flags.stateLimitsMs).toEqual({ deploying: 3_600_000 });
});

test.each([
  { flag: undefined, file: undefined, percent: 50 },
  { flag: undefined, file: 100, percent: 100 },
  { flag: 80, file: 100, percent: 80 },
])("judged until: flag $flag, file $file → $percent %", ({ flag, file, percent }) => {
  const given = flag === undefined ? {} : { judgeUntilPercent: flag };
  const { settings: followed } = settings(given, file === undefined ? {} : { judge: { untilPercent: file } });
  expect(followed.flags.judgeUntilPercent).toBe(percent);
});

test("an address makes Prometheus a judge", () => {
  const { settings: followed } = settings({ prometheusAddress: "http://127.0.0.1:9" });
  expect(followed.flags.judges).toEqual(["prometheus"]);
  followed.stop();
});
