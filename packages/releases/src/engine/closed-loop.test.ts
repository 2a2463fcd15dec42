// Whole releases on a model fleet: what people see, from the first revision to a roll-back.
import { expect, test } from "vitest";
import { ModelFleet } from "../../test/model-fleet.ts";
import { aCluster, anEntry, aReleaseManager, aRevision, aWorld, NOW_MS } from "../../test/worlds.ts";
import { decideOutcome } from "./decide-outcome.ts";

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

test("a cluster that is ahead of the decided split gives nothing back to what leaves, and nobody waits for it", () => {
  const outcome = decideOutcome(
    aWorld({
      revisions: [aRevision("v1"), aRevision("v2", { spec: { failed: true } })],
      releaseManager: aReleaseManager([
        anEntry("v1", { state: "released", currentPercent: 60, peakPercent: 100, rollbackBase: 40 }),
        anEntry("v2", { state: "failing", currentPercent: 40 }),
      ]),
      clusters: [
        aCluster("a", { pods: { v1: 4, v2: 4 }, weights: { v1: 60, v2: 40 } }),
        aCluster("b", { pods: { v1: 4, v2: 4 }, weights: { v1: 90, v2: 10 } }),
      ],
    }),
  );
  expect(outcome.status.revisions?.map(({ currentPercent }) => currentPercent)).toEqual([60, 40]);
  expect(outcome.plan?.clusters[1]?.route?.weights).toEqual([
    { tag: "v1", percent: 90 },
    { tag: "v2", percent: 10 },
  ]);
});

const CANARY = { canary: { percent: 10, ttl: 60 }, datadogMonitoring: { enabled: true } };

test.each([
  {
    what: "fails",
    lose: (fleet: ModelFleet) => fleet.revisions.set("v1", aRevision("v1", { spec: { failed: true } })),
  },
  { what: "has lost its Revision", lose: (fleet: ModelFleet) => fleet.revisions.delete("v1") },
])("a revision with a canary is released although all that serves $what: both would wait for ever", ({ lose }) => {
  const fleet = new ModelFleet({ clusters: THREE, startMs: NOW_MS });
  fleet.revisions.set("v1", aRevision("v1"));
  expect(fleet.runUntil(() => fleet.state("v1") === "released")).toBe(true);
  fleet.revisions.set("v2", aRevision("v2", { target: CANARY }));
  expect(fleet.runUntil(() => fleet.state("v2") === "canaryingdatadog")).toBe(true);
  lose(fleet);
  expect(fleet.runUntil(() => fleet.state("v2") === "released", { passes: 80 })).toBe(true);
});

test("whatever waits says what would unblock it", () => {
  const fleet = new ModelFleet({ clusters: THREE, startMs: NOW_MS });
  const told = new Map<string, boolean>();
  const look = (): boolean => {
    for (const { name, verdict, unblock } of fleet.last?.gates ?? [])
      if (verdict !== "passed") told.set(name, (told.get(name) ?? true) && unblock !== undefined);
    return false;
  };
  fleet.revisions.set("v1", aRevision("v1"));
  fleet.runUntil(look, { passes: 20 });
  fleet.revisions.set("v2", aRevision("v2", { target: CANARY }));
  fleet.runUntil(look, { passes: 12 });
  fleet.revisions.set("v2", aRevision("v2", { target: CANARY, spec: { failed: true } }));
  fleet.runUntil(look, { passes: 12 });
  expect([...told.values()]).not.toContain(false);
  expect([...told.keys()]).toEqual(expect.arrayContaining(["Deployed", "CanaryTime", "Drained"]));
});
