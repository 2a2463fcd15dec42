import type { Ref } from "@chaski/kube";

/** What came of the last decision on one cluster; a fact of the next world. */
export interface ClusterResult {
  readonly cluster: string;
  readonly atMs: number;
  readonly entries: readonly EntryResult[];
}

export type EntryResult =
  | { readonly ref: Ref; readonly outcome: "written" | "unchanged" | "removed" | "kept" }
  /** Ours, but the decision said nothing about it: kept, and told. */
  | { readonly ref: Ref; readonly outcome: "unaccounted" }
  /** What would have been done, had we not been told to observe only. */
  | { readonly ref: Ref; readonly outcome: "observed"; readonly message: string }
  /** Left alone: it carries the ignore label, or another owner's name. */
  | { readonly ref: Ref; readonly outcome: "foreign" | "ignored"; readonly message: string }
  | { readonly ref: Ref; readonly outcome: "failed"; readonly reason: string; readonly message: string }
  /** Not tried: what it comes after failed. */
  | { readonly ref: Ref; readonly outcome: "blocked"; readonly by: Ref };

export type Unmet = Extract<EntryResult, { readonly outcome: "failed" | "foreign" | "ignored" }>;

/** It is not as decided, and the result says why. */
export function isUnmet(result: EntryResult): result is Unmet {
  return result.outcome === "failed" || result.outcome === "foreign" || result.outcome === "ignored";
}
