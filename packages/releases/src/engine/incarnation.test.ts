import { releaseKeys, type Revision } from "@chaski/api";
import { expect, test } from "vitest";
import { aRevision, aWorld } from "../../test/worlds.ts";
import { fleetOf } from "./fleet.ts";
import { incarnationsOf } from "./incarnation.ts";

function committed(tag: string, time: string, ageMs = 0): Revision {
  return aRevision(tag, { ageMs, annotations: { [releaseKeys.annotations.committerTimestamp]: time } });
}

const NOON = "2026-03-04T12:00:00Z";

test.each([
  ["by commit", [committed("v1", NOON), committed("v2", "2026-03-04T11:59:59Z")], "v1, v2"],
  ["by commit, to the millisecond", [committed("v1", "2026-03-04T12:00:00.001Z"), committed("v2", NOON)], "v1, v2"],
  ["then by creation", [committed("v1", NOON, 1_000), committed("v2", NOON, 2_000)], "v1, v2"],
  ["then by tag, the greater one first", [committed("v1", NOON), committed("v2", NOON)], "v2, v1"],
])("newest first: %s", (_name, revisions, order) => {
  const world = aWorld({ revisions, clusters: [] });
  const tags = incarnationsOf(world, fleetOf(world)).map(({ tag }) => tag);
  expect(tags.join(", ")).toBe(order);
});
