// How fast a release is decided, objects included. The median of many: other work on the machine is not ours.
import { decideRelease, type ReleaseWorld } from "@chaski/releases";
import { aCluster, aReleaseManager, anEntry, aRevision, aWorld } from "../packages/releases/test/worlds.ts";
import type { BenchOptions } from "./bench-options.ts";
import { below, type Line } from "./line.ts";

const INCARNATIONS = [1, 10, 100];
const CLUSTERS = [1, 10, 50];
const GOAL = { incarnations: 5, clusters: 4, ms: 1 };

/** Growth with the product is linear when each pair costs the same. */
const PER_PAIR_MS = 0.1;

export async function benchEngine({ scale, log }: BenchOptions): Promise<Line[]> {
  log("decisions about a ramp in the middle");
  const sizes = INCARNATIONS.flatMap((incarnations) => CLUSTERS.map((clusters) => ({ incarnations, clusters })));
  const goalMs = medianMs(aRamp(GOAL.incarnations, GOAL.clusters), Math.round(2000 * scale));
  const lines = sizes.map(({ incarnations, clusters }) => {
    const pairs = incarnations * clusters;
    const ms = medianMs(aRamp(incarnations, clusters), Math.max(5, Math.round((4000 * scale) / pairs)));
    const what = `${incarnations} incarnations on ${clusters} clusters: ${Math.round(1000 / ms)} decisions/s`;
    return below(Math.max(GOAL.ms, pairs * PER_PAIR_MS), { what, unit: "ms", ours: ms });
  });
  const what = `${GOAL.incarnations} incarnations on ${GOAL.clusters} clusters, objects included`;
  return [below(GOAL.ms, { what, unit: "ms", ours: goalMs }), ...lines];
}

function medianMs(world: ReleaseWorld, count: number): number {
  for (let warmUp = 0; warmUp < Math.min(200, count); warmUp++) decideRelease(world);
  const times = Array.from({ length: count }, () => {
    const start = performance.now();
    decideRelease(world);
    return performance.now() - start;
  });
  return times.toSorted((a, b) => a - b)[Math.floor(count / 2)] ?? 0;
}

/** The newest ramps, one older serves, the rest is retired. */
function aRamp(incarnations: number, clusters: number): ReleaseWorld {
  const tags = Array.from({ length: incarnations }, (_, index) => `t${index}`);
  const [newest = "", older] = tags;
  const weights = older === undefined ? { [newest]: 100 } : { [newest]: 40, [older]: 60 };
  const state = (tag: string): string => (tag === newest ? "releasing" : tag === older ? "released" : "retired");
  const pods = { Current: 4 * clusters, Desired: 4 * clusters, Peak: 4 * clusters };
  return aWorld({
    revisions: tags.map((tag, index) => aRevision(tag, { ageMs: (index + 1) * 60_000 })),
    releaseManager: aReleaseManager(
      tags.map((tag) =>
        anEntry(tag, {
          state: state(tag),
          currentPercent: weights[tag] ?? 0,
          peakPercent: 100,
          releaseEligible: (weights[tag] ?? 0) > 0,
          scale: pods,
        }),
      ),
    ),
    clusters: Array.from({ length: clusters }, (_, index) =>
      aCluster(`c${index}`, {
        weights,
        pods: Object.fromEntries(tags.map((tag) => [tag, (weights[tag] ?? 0) > 0 ? 4 : 0])),
      }),
    ),
  });
}
