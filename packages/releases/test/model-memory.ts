// What the system itself remembers between two passes of the model check: the status and what the cluster has.
import type { IncarnationStatus, ReleaseManagerStatus } from "@chaski/api";
import { emptyState, type ModelState } from "./model-fleet.ts";

export interface Memory {
  readonly status: ReleaseManagerStatus;
  readonly live: ModelState;
}

export function nothing(): Memory {
  return { status: { lastUpdated: null, revisions: [] }, live: emptyState() };
}

/** Eligibility that is read from the spec again before anybody asks for it. */
const READ_AGAIN = new Set([
  "created",
  "deploying",
  "deployed",
  "pendingtest",
  "testing",
  "tested",
  "failing",
  "failed",
  "deleting",
  "deleted",
  "timingout",
]);

export function isReadAgain(state: string): boolean {
  return READ_AGAIN.has(state);
}

export function entryOf({ status }: Memory, tag: string): IncarnationStatus | undefined {
  return status.revisions?.find((entry) => entry.tag === tag);
}

/** All that a decision can read back; times are inputs, and of each only whether it is there is remembered. */
export function keyOf(memory: Memory, tags: readonly string[]): string {
  const { status, live } = memory;
  const entries = tags.map((tag) => keyOfEntry(entryOf(memory, tag)));
  return [status.orphanedSince ? "o" : "", ...entries, keyOfLive(live, tags)].join(";");
}

export function keyOfEntry(entry: IncarnationStatus | undefined): string {
  if (!entry) return "";
  const { state, currentPercent, peakPercent } = entry;
  const isEligible = isReadAgain(state.current) || entry.releaseEligible;
  const flags = [isEligible, entry.canaryStartTimestamp, entry.unrouted, entry.gitTimestamp].map(asBit).join("");
  return `${state.current} ${currentPercent} ${peakPercent} ${flags}`;
}

function asBit(value: unknown): number {
  return value ? 1 : 0;
}

export function keyOfLive(
  { replicaSets, weights, named, subsets, hasRoute }: ModelState,
  tags: readonly string[],
): string {
  const byTag = tags.map((tag) => {
    const flags = `${asBit(named.includes(tag))}${asBit(subsets.includes(tag))}`;
    return `${replicaSets.get(tag)?.replicas ?? "-"} ${weights[tag] ?? 0} ${flags}`;
  });
  return [asBit(hasRoute), ...byTag].join("/");
}
