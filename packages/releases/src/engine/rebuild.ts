// A tag that has weight in a live route but no entry: the status was lost, and is read back from the routes (D-82).
import type { Fleet } from "./fleet.ts";
import { type Incarnation, withStatus } from "./incarnation.ts";
import { PERCENT, whole } from "./numbers.ts";
import type { ReleaseWorld } from "./world.ts";

export function rebuildLost(
  { releaseManager }: ReleaseWorld,
  fleet: Fleet,
  incarnations: readonly Incarnation[],
): readonly Incarnation[] {
  const known = new Set((releaseManager.status?.revisions ?? []).map(({ tag }) => tag));
  const weights = liveWeights(fleet);
  const lost = incarnations.filter(({ tag, pods }) => !known.has(tag) && (weights[tag] ?? 0) > 0 && pods.isSeen);
  const oldest = lost.at(-1)?.tag;
  return incarnations.map((incarnation) => {
    if (!lost.includes(incarnation)) return incarnation;
    const percent = whole(weights[incarnation.tag], PERCENT, 0);
    return rebuilt(incarnation, percent, incarnation.tag === oldest);
  });
}

/** Routes can't tell a peak: the oldest weighted tag had it all, the others what they have. */
function rebuilt(incarnation: Incarnation, percent: number, isOldest: boolean): Incarnation {
  const state = isOldest ? "released" : "releasing";
  const { lastUpdated } = incarnation.status.state;
  const change = {
    state: { current: state, target: state, ...(lastUpdated === undefined ? {} : { lastUpdated }) },
    currentPercent: percent,
    peakPercent: isOldest ? 100 : percent,
    ...(isOldest ? {} : { wonPercent: percent }),
    releaseEligible: true,
  };
  return { ...withStatus(incarnation, change), state };
}

/** Of the first live cluster that has a whole split. */
function liveWeights({ live }: Fleet): Readonly<Record<string, number>> {
  for (const { world } of live) {
    const weights = world.route?.weights ?? {};
    if (Object.values(weights).reduce((total, weight) => total + weight, 0) === 100) return weights;
  }
  return {};
}
