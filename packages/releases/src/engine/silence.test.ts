// What is not seen, and what still holds on one cluster, is never read as absence.
import { describe, expect, test } from "vitest";
import { aCluster, anEntry, aReleaseManager, aRevision, aWorld } from "../../test/worlds.ts";
import { decideOutcome } from "./decide-outcome.ts";

describe("what the engine does not conclude", () => {
  test("D-38: a release whose clusters were never seen keeps its traffic and its pods in status", () => {
    const scale = { Current: 8, Desired: 8, Peak: 8 };
    const { status } = decideOutcome(
      aWorld({
        revisions: [aRevision("v1")],
        releaseManager: aReleaseManager([anEntry("v1", { state: "released", currentPercent: 100, scale })]),
        clusters: [aCluster("a", { contact: { state: "unreachable", cause: "refused" } })],
      }),
    );
    expect(status.revisions).toMatchObject([{ tag: "v1", currentPercent: 100, scale }]);
    expect(status.revisions?.[0]?.deleted).not.toBe(true);
  });

  test("of two that leave beside a canary, neither grows", () => {
    const scale = { Current: 40, Desired: 40, Peak: 40 };
    const leaving = { state: "retiring", releaseEligible: false, peakPercent: 100, scale };
    const canary = { canary: { percent: 10, ttl: 3600 }, serviceLevelObjectives: [{ name: "up", enabled: true }] };
    const { status } = decideOutcome(
      aWorld({
        revisions: [aRevision("v1"), aRevision("v2"), aRevision("v3", { target: canary })],
        releaseManager: aReleaseManager([
          anEntry("v1", { ...leaving, currentPercent: 40 }),
          anEntry("v2", { ...leaving, currentPercent: 50 }),
          anEntry("v3", { state: "canarying", currentPercent: 10, scale }),
        ]),
        clusters: [aCluster("a", { pods: { v1: 40, v2: 40, v3: 40 }, weights: { v1: 40, v2: 50, v3: 10 } })],
      }),
    );
    const percents = status.revisions?.map(({ tag, currentPercent }) => [tag, currentPercent]);
    expect(Object.fromEntries(percents ?? [])).toEqual({ v1: 40, v2: 50, v3: 10 });
  });

  test("a cluster whose route still gives a revision more keeps the pods for it", () => {
    const scale = { Current: 40, Desired: 40, Peak: 40 };
    const { plan } = decideOutcome(
      aWorld({
        revisions: [aRevision("v1"), aRevision("v2")],
        releaseManager: aReleaseManager([
          anEntry("v1", { state: "released", currentPercent: 20, peakPercent: 20, scale }),
          anEntry("v2", { state: "releasing", currentPercent: 80, scale }),
        ]),
        clusters: [aCluster("a", { pods: { v1: 40, v2: 40 }, weights: { v1: 100 } })],
      }),
    );
    const v1 = plan?.clusters[0]?.revisions.find(({ tag }) => tag === "v1");
    expect(v1?.bounds?.max).toBe(40);
  });
});
