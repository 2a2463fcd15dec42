// What a person may do: pause, promote, and say what unknown evidence means.
import { formatTimestamp } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { pair, percentOf, pods, stateOf, v1Released } from "../../test/pair.ts";
import { aCluster, anEntry, aReleaseManager, NOW_MS } from "../../test/worlds.ts";
import { decideOutcome } from "./decide-outcome.ts";

describe("people", () => {
  const ramp = (annotations: Readonly<Record<string, string>>, entry: object = {}) => {
    const releaseManager = aReleaseManager(
      [
        { ...v1Released, currentPercent: 80 },
        anEntry("v2", { state: "releasing", currentPercent: 20, ...pods(8), ...entry }),
      ],
      { annotations },
    );
    return decideOutcome(
      pair(
        { state: "releasing" },
        { releaseManager, clusters: [aCluster("a", { pods: { v1: 4, v2: 8 }, weights: { v1: 80, v2: 20 } })] },
      ),
    );
  };

  test("a pause holds the ramp and says why", () => {
    const outcome = ramp({ "chaski.dev/paused": "lunch" });
    expect(percentOf(outcome, "v2")).toBe(20);
    expect(outcome.gates).toContainEqual(
      expect.objectContaining({ name: "Paused", message: "the release is paused: lunch" }),
    );
    expect(outcome.status.conditions?.find(({ type }) => type === "Released")?.message).toBe(
      "the release is paused: lunch",
    );
  });

  test("a pause does not hold a roll-back", () => {
    const releaseManager = aReleaseManager(
      [{ ...v1Released, currentPercent: 80 }, anEntry("v2", { state: "failing", currentPercent: 20, ...pods(8) })],
      { annotations: { "chaski.dev/paused": "lunch" } },
    );
    const clusters = [aCluster("a", { pods: { v1: 4, v2: 8 }, weights: { v1: 80, v2: 20 } })];
    const world = pair({ state: "" }, { releaseManager, clusters, revision: { spec: { failed: true } } });
    expect(percentOf(decideOutcome(world), "v1")).toBe(100);
  });

  test("a promotion skips neither capacity nor evidence", () => {
    const annotations = { "chaski.dev/promote": "v2" };
    const entries = [
      { ...v1Released, currentPercent: 80, ...pods(40) },
      anEntry("v2", { state: "releasing", currentPercent: 20, ...pods(8) }),
    ];
    const releaseManager = aReleaseManager(entries, { annotations });
    const clusters = (ready: number) => [aCluster("a", { pods: { v1: 40, v2: ready }, weights: { v1: 80, v2: 20 } })];
    const evidence = { v2: [{ judge: "prometheus", verdict: "unknown" as const }] };
    const percentWith = (more: object): number | undefined =>
      percentOf(decideOutcome(pair({ state: "" }, { releaseManager, clusters: clusters(30), ...more })), "v2");
    expect(percentWith({})).toBe(40);
    expect(percentWith({ clusters: clusters(8) })).toBe(20);
    expect(percentWith({ evidence })).toBe(20);
  });

  test("a promotion skips the delay", () => {
    const now = { lastUpdated: formatTimestamp(NOW_MS) };
    expect(percentOf(ramp({}, now), "v2")).toBe(20);
    expect(percentOf(ramp({ "chaski.dev/promote": "v2" }, now), "v2")).toBe(40);
  });

  test("a promotion skips schedule and canary, never capacity", () => {
    const annotations = { "chaski.dev/promote": "v2" };
    const waiting = (state: string) => ({
      releaseManager: aReleaseManager([v1Released, anEntry("v2", { state })], { annotations }),
      nowMs: Date.parse("2026-03-08T12:00:00Z"),
      revision: {
        target: {
          release: { schedule: "humane" },
          canary: { percent: 10, ttl: 60 },
          serviceLevelObjectives: [{ name: "up", enabled: true }],
        },
      },
    });
    expect(stateOf(decideOutcome(pair({ state: "" }, waiting("pendingrelease"))), "v2")).toBe("releasing");
    expect(stateOf(decideOutcome(pair({ state: "" }, waiting("canarying"))), "v2")).toBe("canaried");
    const few = ramp({ "chaski.dev/promote": "v2" }, {});
    expect(percentOf(few, "v2")).toBe(40);
  });

  test("unknown evidence holds by default and proceeds where the target says so", () => {
    const evidence = { v2: [{ judge: "prometheus", verdict: "unknown" as const, cause: "provider down" }] };
    const releaseManager = aReleaseManager([
      { ...v1Released, currentPercent: 80 },
      anEntry("v2", { state: "releasing", currentPercent: 20, ...pods(8) }),
    ]);
    const clusters = [aCluster("a", { pods: { v1: 4, v2: 8 }, weights: { v1: 80, v2: 20 } })];
    expect(percentOf(decideOutcome(pair({ state: "releasing" }, { evidence, releaseManager, clusters })), "v2")).toBe(
      20,
    );
    const revision = { annotations: { "chaski.dev/on-unknown.production": "proceed" } };
    expect(
      percentOf(decideOutcome(pair({ state: "releasing" }, { evidence, releaseManager, clusters, revision })), "v2"),
    ).toBe(40);
  });
});
