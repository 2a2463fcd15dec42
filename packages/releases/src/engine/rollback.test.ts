// Roll-back: §6.10, D-43, D-73, D-74, rule 4.
import { describe, expect, test } from "vitest";
import { ModelFleet } from "../../test/model-fleet.ts";
import { aCluster, anEntry, aReleaseManager, aRevision, aWorld, NOW_MS } from "../../test/worlds.ts";
import { decideOutcome } from "./decide-outcome.ts";
import type { Outcome } from "./outcome.ts";

const THREE = ["a", "b", "c"];

function percents({ status }: Outcome): Readonly<Record<string, number>> {
  return Object.fromEntries((status.revisions ?? []).map(({ tag, currentPercent }) => [tag, currentPercent]));
}

function minimum({ plan }: Outcome, cluster: number, tag: string): number | undefined {
  return plan?.clusters[cluster]?.revisions.find((revision) => revision.tag === tag)?.bounds?.min;
}

const scale = (min: number, max: number) => ({ scale: { min, max, targetCPUUtilizationPercentage: 70 } });

describe("§6.10: its examples", () => {
  test("D-74: three clusters, v1 takes everything in the first pass", () => {
    const outcome = decideOutcome(
      aWorld({
        revisions: [
          aRevision("v1", { target: scale(10, 30) }),
          aRevision("v2", { target: scale(10, 30), spec: { failed: true } }),
        ],
        releaseManager: aReleaseManager([
          anEntry("v1", {
            state: "released",
            currentPercent: 80,
            peakPercent: 100,
            scale: { Current: 12, Desired: 12, Peak: 12 },
          }),
          anEntry("v2", { state: "releasing", currentPercent: 20, scale: { Current: 3, Desired: 3, Peak: 3 } }),
        ]),
        clusters: ["a", "b", "c"].map((name) =>
          aCluster(name, { pods: { v1: 4, v2: 1 }, weights: { v1: 80, v2: 20 } }),
        ),
      }),
    );
    expect(percents(outcome)).toEqual({ v1: 100, v2: 0 });
    expect(outcome.plan?.clusters.map(({ route }) => route?.weights)).toEqual(
      THREE.map(() => [{ tag: "v1", percent: 100 }]),
    );
    expect(outcome.plan?.clusters.every(({ route }) => route?.isUrgent)).toBe(true);
  });

  const one = (ready: number, before: readonly [number, number], base?: number) =>
    decideOutcome(
      aWorld({
        revisions: [
          aRevision("v1", { target: scale(10, 60) }),
          aRevision("v2", { target: scale(10, 60), spec: { failed: true } }),
        ],
        releaseManager: aReleaseManager([
          anEntry("v1", {
            state: "released",
            currentPercent: before[0],
            peakPercent: 100,
            scale: { Current: 40, Desired: 40, Peak: 50 },
            ...(base === undefined ? {} : { rollbackBase: base }),
          }),
          anEntry("v2", {
            state: base === undefined ? "releasing" : "failing",
            currentPercent: before[1],
            scale: { Current: 20, Desired: 20, Peak: 20 },
          }),
        ]),
        clusters: [aCluster("a", { pods: { v1: ready, v2: 20 }, weights: { v1: before[0], v2: before[1] } })],
      }),
    );

  test("D-43: one cluster, v1 takes what 40 pods carry and asks for 45", () => {
    const outcome = one(40, [60, 40]);
    expect(percents(outcome)).toEqual({ v1: 88, v2: 12 });
    expect(minimum(outcome, 0, "v1")).toBe(45);
    expect(outcome.status.revisions?.find(({ tag }) => tag === "v1")?.rollbackBase).toBe(50);
    expect(outcome.events).toMatchObject([
      { type: "Warning", reason: "Failing", regarding: { kind: "Revision" } },
      { type: "Warning", reason: "RollingBack" },
    ]);
    expect(outcome.gates).toContainEqual(expect.objectContaining({ name: "Rollback", value: "40", threshold: "45" }));
  });

  test("with 45 pods ready it takes the rest, and the estimate is forgotten when all is over", () => {
    const outcome = one(45, [88, 12], 50);
    expect(percents(outcome)).toEqual({ v1: 100, v2: 0 });
    expect(outcome.events.map(({ reason }) => reason)).toEqual(["RolledBack"]);
    expect(outcome.status.revisions?.map(({ rollbackBase }) => rollbackBase)).toEqual([undefined, undefined]);
  });

  test("the estimate of the first pass stays: traffic that has moved does not shrink it", () => {
    expect(percents(one(40, [88, 12], 50))).toEqual({ v1: 88, v2: 12 });
  });
});

describe("D-73: roll-back of a released revision", () => {
  const world = (pods: readonly [number, number], entry: Parameters<typeof anEntry>[1]) =>
    aWorld({
      revisions: [aRevision("v1"), aRevision("v2", { spec: { failed: true } })],
      releaseManager: aReleaseManager([
        anEntry("v1", entry),
        anEntry("v2", {
          state: "released",
          currentPercent: 100,
          peakPercent: 100,
          scale: { Current: 10, Desired: 10, Peak: 10 },
        }),
      ]),
      clusters: [aCluster("a", { pods: { v1: pods, v2: 10 }, weights: { v2: 100 } })],
    });
  const retired = {
    state: "retired",
    peakPercent: 100,
    releaseEligible: false,
    scale: { Current: 0, Desired: 0, Peak: 12 },
  };

  test("the retired one's pods are asked for in the same pass, and nothing moves to it before they are ready", () => {
    const outcome = decideOutcome(world([0, 0], retired));
    const v1 = outcome.plan?.clusters[0]?.revisions.find(({ tag }) => tag === "v1");
    expect(outcome.status.revisions?.find(({ tag }) => tag === "v1")?.state.current).toBe("releasing");
    expect(v1).toMatchObject({ scaleTo: 9, bounds: { min: 9 } });
    expect(percents(outcome)).toEqual({ v1: 0, v2: 100 });
  });

  test("weight follows readiness without any delay", () => {
    const fleet = new ModelFleet({ clusters: [{ factor: "1.0", isStandby: false }], startMs: NOW_MS });
    fleet.revisions.set("v1", aRevision("v1"));
    fleet.runUntil(() => fleet.state("v1") === "released");
    fleet.revisions.set("v2", aRevision("v2"));
    fleet.runUntil(
      () => fleet.state("v1") === "retired" && fleet.clusters[0]?.live.replicaSets.get("v1")?.replicas === 0,
    );
    fleet.revisions.set("v2", aRevision("v2", { spec: { failed: true } }));
    fleet.pass();
    fleet.settle();
    fleet.pass();
    expect(fleet.clusters[0]?.live.weights).toEqual({ v1: 100 });
  });

  test("rule 4: an unreachable cluster does not keep the others from rolling back, and follows when it returns", () => {
    const fleet = new ModelFleet({ clusters: THREE.map(() => ({ factor: "1.0", isStandby: false })), startMs: NOW_MS });
    fleet.revisions.set("v1", aRevision("v1"));
    fleet.runUntil(() => fleet.state("v1") === "released");
    fleet.revisions.set("v2", aRevision("v2"));
    fleet.runUntil(() => fleet.percent("v2") === 40 && fleet.clusters.every(({ live }) => live.weights["v2"] === 40));
    Object.assign(fleet.clusters[1] ?? {}, { isUp: false });
    fleet.revisions.set("v2", aRevision("v2", { spec: { failed: true } }));
    fleet.runUntil(() => fleet.percent("v2") === 0, { passes: 20 });
    fleet.pass();
    expect(fleet.clusters.map(({ live }) => live.weights)).toEqual([{ v1: 100 }, { v1: 60, v2: 40 }, { v1: 100 }]);
    Object.assign(fleet.clusters[1] ?? {}, { isUp: true });
    fleet.pass();
    expect(fleet.clusters.map(({ live }) => live.weights)).toEqual([{ v1: 100 }, { v1: 100 }, { v1: 100 }]);
  });

  test("after a minute without progress it says what it waits for, once", () => {
    const failing = anEntry("v2", {
      state: "failing",
      currentPercent: 100,
      peakPercent: 100,
      scale: { Current: 10, Desired: 10, Peak: 10 },
    });
    const taker = anEntry("v1", { state: "releasing", peakPercent: 100, rollbackBase: 10 });
    const since = new Date(NOW_MS - 61_000).toISOString();
    const rollback = { tag: "v2", taker: "v1", since, progressAt: since };
    const stuck = { ...world([9, 0], retired), releaseManager: aReleaseManager([taker, failing], {}, { rollback }) };
    const first = decideOutcome(stuck);
    expect(first.events).toMatchObject([{ reason: "RollbackStalled" }]);
    const second = decideOutcome({ ...stuck, releaseManager: { ...stuck.releaseManager, status: first.status } });
    expect(second.events).toEqual([]);
  });

  test("a taker gets on each cluster what its pods there carry", () => {
    const outcome = decideOutcome(
      aWorld({
        revisions: [
          aRevision("v1", { target: scale(10, 60) }),
          aRevision("v2", { target: scale(10, 60), spec: { failed: true } }),
        ],
        releaseManager: aReleaseManager([
          anEntry("v1", {
            state: "released",
            currentPercent: 60,
            peakPercent: 100,
            scale: { Current: 40, Desired: 40, Peak: 40 },
          }),
          anEntry("v2", { state: "releasing", currentPercent: 40, scale: { Current: 20, Desired: 20, Peak: 20 } }),
        ]),
        clusters: [
          aCluster("a", { pods: { v1: 39, v2: 10 }, weights: { v1: 60, v2: 40 } }),
          aCluster("b", { pods: { v1: 1, v2: 10 }, weights: { v1: 60, v2: 40 } }),
        ],
      }),
    );
    expect(outcome.plan?.clusters.map(({ route }) => route?.weights)).toEqual([
      [{ tag: "v1", percent: 100 }],
      [
        { tag: "v1", percent: 60 },
        { tag: "v2", percent: 40 },
      ],
    ]);
  });
});
