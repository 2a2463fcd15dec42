import type { IncarnationStatus, ReleaseManager, ReleaseManagerStatus } from "@chaski/api";
import { isEqualJson } from "@chaski/kube";

/** States may follow one another at once; a step of the traffic is made and seen before the next is thought of. */
export function decidesAhead({ status }: Readonly<ReleaseManager>, { revisions }: ReleaseManagerStatus): boolean {
  const before = status?.revisions;
  return isEqualJson(percents(before), percents(revisions)) && !isEqualJson(statesOf(before), statesOf(revisions));
}

type Entries = readonly IncarnationStatus[] | undefined;

function percents(entries: Entries = []): object {
  return entries
    .filter(({ currentPercent }) => currentPercent > 0)
    .map(({ tag, currentPercent }) => [tag, currentPercent]);
}

export function statesOf(entries: Entries = []): object {
  return entries.map(({ tag, state }) => [tag, state.current]);
}
