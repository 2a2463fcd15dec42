// Whole releases on a model fleet: what people see, from the first revision to a roll-back.
import { expect, test } from "vitest";
import { ModelFleet } from "../../test/model-fleet.ts";
import { aRevision, NOW_MS } from "../../test/worlds.ts";

const ONE = [{ factor: "1.0", isStandby: false }];
const THREE = [ONE, ONE, ONE].flat();

test("a first revision is released, a second takes over from it, and the first retires", () => {
  const fleet = new ModelFleet({ clusters: THREE, startMs: NOW_MS });
  fleet.revisions.set("v1", aRevision("v1"));
  expect(fleet.runUntil(() => fleet.state("v1") === "released")).toBe(true);
  fleet.revisions.set("v2", aRevision("v2"));
  expect(fleet.runUntil(() => fleet.state("v2") === "released" && fleet.state("v1") === "retired")).toBe(true);
  expect(fleet.clusters.map(({ live }) => live.weights)).toEqual([{ v2: 100 }, { v2: 100 }, { v2: 100 }]);
  expect(fleet.runUntil(() => fleet.clusters.every(({ live }) => live.replicaSets.get("v1")?.replicas === 0))).toBe(
    true,
  );
});

test("a revision that fails while it ramps gives its traffic back", () => {
  const fleet = new ModelFleet({ clusters: THREE, startMs: NOW_MS });
  fleet.revisions.set("v1", aRevision("v1"));
  expect(fleet.runUntil(() => fleet.state("v1") === "released")).toBe(true);
  fleet.revisions.set("v2", aRevision("v2"));
  expect(fleet.runUntil(() => fleet.percent("v2") >= 40)).toBe(true);
  fleet.revisions.set("v2", aRevision("v2", { spec: { failed: true } }));
  expect(fleet.runUntil(() => fleet.state("v2") === "failed", { passes: 60 })).toBe(true);
  expect(fleet.clusters.map(({ live }) => live.weights)).toEqual([{ v1: 100 }, { v1: 100 }, { v1: 100 }]);
});
