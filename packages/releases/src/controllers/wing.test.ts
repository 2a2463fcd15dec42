import { declareCaches } from "@chaski/runtime";
import { expect, test } from "vitest";
import { defaultCalendar, defaultFlags, releaseControllers } from "../index.ts";

const controllers = releaseControllers({
  flags: defaultFlags,
  calendars: [defaultCalendar],
  judges: [],
  concurrentRevisions: 1,
  concurrentReleaseManagers: 1,
  syncPeriodMs: 15_000,
});

test("on a target cluster nothing is watched but what releases have there, and nothing is kept whole", () => {
  const remote = declareCaches(controllers, "default/east").filter(({ kind }) => kind.kind !== "Revision");
  const unbounded = remote.filter(({ options }) => options.labelSelector === undefined);
  const whole = remote.filter(({ options }) => options.transform === undefined && options.isMetadataOnly !== true);
  expect([unbounded, whole].map((list) => list.map(({ kind }) => kind.kind))).toEqual([[], []]);
});

test("of Secrets and ConfigMaps of the delivery cluster only hashes are kept", () => {
  const local = declareCaches(controllers).filter(({ kind }) => ["Secret", "ConfigMap"].includes(kind.kind));
  expect(local.map(({ options }) => options.transform?.name)).toEqual(["withoutContent", "withoutContent"]);
});
