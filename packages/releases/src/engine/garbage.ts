// Which Revisions have had their time (§10, D-65).
import { releaseKeys } from "@chaski/api";
import { timeMs } from "@chaski/kube";
import type { Incarnation } from "./incarnation.ts";
import type { State } from "./states.ts";

const KEPT_RETIRED = 3;
const COLLECTABLE: ReadonlySet<State | undefined> = new Set(["retired", "deleting", "deleted", "failed"]);

export interface Candidate {
  readonly tag: string;
  readonly state: State | undefined;
  readonly gitMs: number;
  readonly ttlMs: number;
}

/** Tags that may go. The newest retired ones stay, and never does everything go at once. */
export function garbage(candidates: readonly Candidate[], nowMs: number): readonly string[] {
  const sorted = candidates.toSorted((a, b) => b.gitMs - a.gitMs || (a.tag < b.tag ? -1 : 1));
  let budget = KEPT_RETIRED;
  const collected = sorted.filter(({ state, gitMs, ttlMs }) => {
    if (state === "retired" && budget-- > 0) return false;
    return nowMs > gitMs + ttlMs && COLLECTABLE.has(state);
  });
  const spared = collected.length === sorted.length ? sorted[0]?.tag : undefined;
  return collected.map(({ tag }) => tag).filter((tag) => tag !== spared);
}

export function candidateOf({ tag, state, status, gitMs }: Incarnation): Candidate {
  return { tag, state, gitMs: timeMs(status.gitTimestamp) ?? gitMs, ttlMs: (status.ttl ?? 0) * 1000 };
}

/** When the next of them comes of age. */
export function nextGarbageMs(candidates: readonly Candidate[], nowMs: number): number | undefined {
  const times = candidates.filter(({ state }) => COLLECTABLE.has(state)).map(({ gitMs, ttlMs }) => gitMs + ttlMs + 1);
  const ahead = times.filter((atMs) => atMs > nowMs);
  return ahead.length > 0 ? Math.min(...ahead) : undefined;
}

/** Garbage whose Revision does not say so yet. */
export function unmarked(incarnations: readonly Incarnation[], target: string, nowMs: number): readonly Incarnation[] {
  const tags = new Set(garbage(incarnations.map(candidateOf), nowMs));
  return incarnations.filter(
    ({ tag, revision }) =>
      revision && tags.has(tag) && revision.metadata.labels?.[releaseKeys.deletableLabel(target)] !== "true",
  );
}
