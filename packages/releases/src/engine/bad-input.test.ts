// Whatever stands in an object, deciding gives an answer: no exception, weights that sum to 100, sizes that are counts.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deepFreeze } from "../../test/deep-freeze.ts";
import { checkDecision } from "../../test/rules.ts";
import { aCluster, anEntry, aReleaseManager, aRevision, aWorld } from "../../test/worlds.ts";
import { decideRelease } from "./decide-release.ts";
import { decideOutcome } from "./decide-outcome.ts";
import { states } from "./states.ts";

const nonsense = fc.oneof(
  fc.constantFrom<unknown>(
    -1,
    1e308,
    Number.NaN,
    Infinity,
    "",
    "x",
    "10",
    null,
    true,
    [],
    {},
    "1h",
    "-5s",
    "9".repeat(400),
    "2026-02-30T00:00:00Z",
  ),
  fc.integer(),
  fc.double(),
  fc.string(),
);

const scale = fc.record(
  {
    min: nonsense,
    max: nonsense,
    default: nonsense,
    targetCPUUtilizationPercentage: nonsense,
    targetRequestsRate: nonsense,
  },
  { requiredKeys: [] },
);

const release = fc.record(
  {
    eligible: fc.oneof(fc.boolean(), nonsense),
    max: nonsense,
    ttl: nonsense,
    schedule: nonsense,
    scalingStrategy: fc.oneof(fc.constantFrom("linear", "geometric"), nonsense),
    linearScaling: fc.record({ increment: nonsense, delay: nonsense }, { requiredKeys: [] }),
    geometricScaling: fc.record({ start: nonsense, factor: nonsense, delay: nonsense }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

const entry = fc.record({
  tag: fc.constantFrom("v1", "v2", "v3", "v1"),
  state: fc.record({
    current: fc.oneof(fc.constantFrom(...states), nonsense),
    target: nonsense,
    lastUpdated: nonsense,
  }),
  currentPercent: fc.oneof(fc.nat(100), nonsense),
  peakPercent: fc.oneof(fc.nat(100), nonsense),
  releaseEligible: fc.oneof(fc.boolean(), nonsense),
  lastUpdated: nonsense,
  gitTimestamp: nonsense,
  canaryStartTimestamp: nonsense,
  rollbackBase: nonsense,
  ttl: nonsense,
  scale: fc.record({ Current: nonsense, Desired: nonsense, Peak: nonsense }),
});

const worlds = fc
  .record({
    entries: fc.array(entry, { maxLength: 5 }),
    targets: fc.array(fc.record({ scale, release, canary: fc.record({ percent: nonsense, ttl: nonsense }) }), {
      minLength: 1,
      maxLength: 3,
    }),
    factor: nonsense,
    replicas: nonsense,
    weights: fc.dictionary(fc.constantFrom("v1", "v2", "v9"), fc.nat(100)),
  })
  .map(({ entries, targets, factor, replicas, weights }) =>
    aWorld({
      revisions: targets.map((target, index) => aRevision(`v${(index % 2) + 1}`, { target: target as object })),
      releaseManager: aReleaseManager(entries as never),
      clusters: [
        aCluster("a", {
          pods: { v1: [replicas as number, replicas as number], v2: 2 },
          weights,
          spec: { scalingFactorString: factor as string },
        }),
        aCluster("b", { pods: { v1: 1, v2: [replicas as number, 1] } }),
      ],
    }),
  );

describe("bad input", () => {
  test("gets an answer that keeps the rules", { timeout: 30_000 }, () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const outcome = decideOutcome(deepFreeze(world));
        for (const plan of outcome.plan?.clusters ?? []) {
          const total = (plan.route?.weights ?? []).reduce((sum, { percent }) => sum + percent, 0);
          expect([0, 100]).toContain(total);
        }
        const sizes =
          outcome.plan?.clusters.flatMap(({ revisions }) =>
            revisions.flatMap(({ initialReplicas, bounds }) => [initialReplicas, bounds?.min ?? 0, bounds?.max ?? 0]),
          ) ?? [];
        expect(sizes.every((size) => Number.isInteger(size) && size >= 0)).toBe(true);
        expect(decideRelease(world).stalled?.reason).not.toBe("InternalError");
      }),
      { seed: 6, numRuns: 1500 },
    );
  });

  test("unparsable quantities, durations and time stamps mean what the defaults mean", () => {
    const world = aWorld({
      revisions: [
        aRevision("v1", {
          target: { scale: { max: 4, targetRequestsRate: "many" }, release: { linearScaling: { delay: "soon" } } },
          annotations: { "git-scm.com/committer-timestamp": "yesterday" },
        }),
      ],
      releaseManager: aReleaseManager([anEntry("v1", { state: "releasing", currentPercent: 100 })]),
      clusters: [aCluster("a", { pods: { v1: 4 }, weights: { v1: 100 } })],
    });
    const outcome = decideOutcome(world);
    checkDecision(world, outcome);
    expect(outcome.plan?.app.revisions[0]?.autoscaler).toEqual({ type: "none" });
  });

  test("of duplicate tags the later one counts", () => {
    const twice = [
      aRevision("v1", { target: { scale: { max: 2 } } }),
      aRevision("v1", { target: { scale: { max: 9 } } }),
    ];
    const outcome = decideOutcome(aWorld({ revisions: twice, clusters: [aCluster("a")] }));
    expect(outcome.plan?.app.revisions.map(({ target }) => target.scale.max)).toEqual([9]);
  });

  test("an unreadable scaling factor stops that cluster alone, and says so", () => {
    const clusters = [aCluster("a", { spec: { scalingFactorString: "half" } }), aCluster("b")];
    const outcome = decideOutcome(aWorld({ revisions: [aRevision("v1")], clusters }));
    expect(outcome.plan?.clusters.map(({ revisions }) => revisions.length)).toEqual([0, 1]);
    expect(outcome.gates).toContainEqual(
      expect.objectContaining({ name: "ScalingFactor", cluster: "a", verdict: "failed" }),
    );
  });

  test("a Revision without the target is as good as none", () => {
    const outcome = decideOutcome(
      aWorld({ revisions: [aRevision("v1", { target: { name: "staging" } })], clusters: [aCluster("a")] }),
    );
    expect(outcome.entries["local"]).toMatchObject([{ verb: "remove" }]);
  });
});
