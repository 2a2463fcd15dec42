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

/** All that a decision can read back; times are inputs, and of each only whether it is there is remembered. */
export function keyOf({ status, live }: Memory, tags: readonly string[]): string {
  const byTag = new Map((status.revisions ?? []).map((entry) => [entry.tag, entry]));
  return [
    status.orphanedSince ? "o" : "",
    ...tags.map((tag) => `${entryKey(byTag.get(tag))}/${liveKey(live, tag)}`),
  ].join(";");
}

function entryKey(entry: IncarnationStatus | undefined): string {
  if (!entry) return "";
  const { state, currentPercent, peakPercent } = entry;
  const isEligible = READ_AGAIN.has(state.current) || entry.releaseEligible;
  const flags = [isEligible, entry.canaryStartTimestamp, entry.unrouted, entry.gitTimestamp].map(asBit).join("");
  return `${state.current} ${currentPercent} ${peakPercent} ${flags}`;
}

function asBit(value: unknown): number {
  return value ? 1 : 0;
}

function liveKey({ replicaSets, weights, named, subsets, hasRoute }: ModelState, tag: string): string {
  const flags = [named.includes(tag), subsets.includes(tag), hasRoute].map(asBit).join("");
  return `${replicaSets.get(tag)?.replicas ?? "-"} ${weights[tag] ?? 0} ${flags}`;
}
