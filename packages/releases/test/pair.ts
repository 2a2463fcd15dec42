// A release in the middle: v1 serves, v2 is in a state of interest.
import { formatTimestamp } from "@chaski/kube";
import type { Outcome, ReleaseWorld } from "@chaski/releases";
import { aCluster, anEntry, aReleaseManager, aRevision, aWorld, NOW_MS } from "./worlds.ts";

export function stateOf({ status }: Outcome, tag: string): string | undefined {
  return status.revisions?.find((entry) => entry.tag === tag)?.state.current;
}

export function percentOf({ status }: Outcome, tag: string): number | undefined {
  return status.revisions?.find((entry) => entry.tag === tag)?.currentPercent;
}

export const pods = (count: number) => ({ scale: { Current: count, Desired: count, Peak: count } });
export const v1Released = anEntry("v1", { state: "released", currentPercent: 100, peakPercent: 100, ...pods(4) });
export const ago = (ms: number): string => formatTimestamp(NOW_MS - ms);

/** v1 serves, v2 is in a state of interest. */
export function pair(
  v2: Parameters<typeof anEntry>[1],
  more: Partial<ReleaseWorld> & { readonly revision?: Parameters<typeof aRevision>[1] } = {},
): ReleaseWorld {
  const { revision, ...rest } = more;
  return aWorld({
    revisions: [aRevision("v1"), aRevision("v2", revision)],
    releaseManager: aReleaseManager([v1Released, anEntry("v2", v2)]),
    clusters: [aCluster("a", { pods: { v1: 4, v2: 4 }, weights: { v1: 100 } })],
    ...rest,
  });
}
