import { describe, expect, test } from "vitest";
import { ago, pair } from "../../test/pair.ts";
import { aCluster, aReleaseManager, aRevision, aWorld, anEntry } from "../../test/worlds.ts";
import { decideOutcome } from "./decide-outcome.ts";
import type { Outcome } from "./outcome.ts";

function routeOf({ plan }: Outcome) {
  const { subsets = [], weights = [] } = plan?.clusters[0]?.route ?? {};
  return { subsets: subsets.map(({ tag }) => tag), weights: weights.map(({ tag }) => tag) };
}

describe("subsets", () => {
  test("what deploys has one before its first traffic: proxies know it when a route names it", () => {
    const clusters = [aCluster("a", { pods: { v1: 4, v2: 0 }, weights: { v1: 100 } })];
    const outcome = decideOutcome(pair({ state: "deploying" }, { clusters }));
    expect(routeOf(outcome)).toEqual({ subsets: ["v1", "v2"], weights: ["v1"] });
  });

  test.each([
    { unroutedMs: 60_000, subsets: ["v1"] },
    { unroutedMs: 0, subsets: ["v1", "v2"] },
  ])(
    "what failed before it was deployed keeps it for the time of the drain: $unroutedMs ms later $subsets",
    (given) => {
      const unrouted = [{ cluster: "a", since: ago(given.unroutedMs) }];
      const cluster = aCluster("a", { pods: { v1: 4, v2: 0 }, weights: { v1: 100 } });
      const clusters = [{ ...cluster, subsets: ["v1", "v2"] }];
      const failing = { state: "failing", currentPercent: 0, unrouted };
      const outcome = decideOutcome(pair(failing, { clusters, revision: { spec: { failed: true } } }));
      expect(routeOf(outcome).subsets).toEqual(given.subsets);
    },
  );

  test("what is retired has none any more", () => {
    const clusters = [aCluster("a", { pods: { v1: 4, v2: 0 }, weights: { v1: 100 } })];
    const outcome = decideOutcome(pair({ state: "retired", releaseEligible: false }, { clusters }));
    expect(routeOf(outcome).subsets).toEqual(["v1"]);
  });

  test("the first revision of an app has neither rule nor route until it is deployed", () => {
    const clusters = [aCluster("a", { pods: { v1: 0 } })];
    const releaseManager = aReleaseManager([anEntry("v1", { state: "deploying" })]);
    const outcome = decideOutcome(aWorld({ revisions: [aRevision("v1")], clusters, releaseManager }));
    expect(outcome.plan?.clusters[0]?.route).toBeUndefined();
  });
});
