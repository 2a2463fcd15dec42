import type { IncarnationStatus, ReleaseManager, ReleaseManagerStatus } from "@chaski/api";
import { isSame } from "./same.ts";

/** States may follow one another at once; a step of the traffic is made and seen before the next is thought of. */
export function decidesAhead({ status }: Readonly<ReleaseManager>, decided: ReleaseManagerStatus): boolean {
  return isSame(percents(status?.revisions), percents(decided.revisions));
}

function percents(entries: readonly IncarnationStatus[] = []): Readonly<Record<string, number>> {
  const weighted = entries.filter(({ currentPercent }) => currentPercent > 0);
  return Object.fromEntries(weighted.map(({ tag, currentPercent }) => [tag, currentPercent]));
}
