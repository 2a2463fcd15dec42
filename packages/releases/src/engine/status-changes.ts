// What has changed between the status that is saved and the one that is decided, and what follows from it.
import type { IncarnationStatus, ReleaseManager, ReleaseManagerStatus } from "@chaski/api";
import { isEqualJson } from "@chaski/kube";

/** States may follow one another at once; a step of the traffic is made and seen before the next is thought of. */
export function decidesAhead({ status }: Readonly<ReleaseManager>, { revisions }: ReleaseManagerStatus): boolean {
  const before = status?.revisions ?? [];
  return isEqualJson(percents(before), percents(revisions)) && !isEqualJson(statesOf(before), statesOf(revisions));
}

/** Pods come one by one, and each is told soon enough together with the next. */
export function tellsOnlyCounts(before: ReleaseManagerStatus, decided: ReleaseManagerStatus): boolean {
  return isEqualJson(withoutCounts(before), withoutCounts(decided));
}

/** Without what is counted, and the sentences about it. */
function withoutCounts({ lastUpdated: _updated, gates: _gates, ...status }: ReleaseManagerStatus): object {
  const { clusters = [], revisions = [], conditions = [] } = status;
  return {
    ...status,
    clusters: clusters.map(({ name, contact, standby = false }) => ({ name, contact, standby })),
    revisions: withoutScales(revisions),
    conditions: conditions.map(({ type, status: is }) => ({ type, is })),
  };
}

type Entries = readonly IncarnationStatus[] | undefined;

export function withoutScales(entries: Entries = []): readonly object[] {
  return entries.map(({ scale: _scale, ...entry }) => entry);
}

function percents(entries: Entries = []): object {
  return entries
    .filter(({ currentPercent }) => currentPercent > 0)
    .map(({ tag, currentPercent }) => [tag, currentPercent]);
}

function statesOf(entries: Entries = []): object {
  return entries.map(({ tag, state }) => [tag, state.current]);
}
