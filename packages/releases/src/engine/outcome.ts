// What a pass decides, before any object is built.
import type { ReleaseManagerStatus } from "@chaski/api";
import type { Entry, EventNote, Gate, ObjectPatch, Stall } from "@chaski/runtime/decision";
import type { AppPlan, ClusterPlan } from "../plan/plan.ts";

export interface Outcome {
  readonly status: ReleaseManagerStatus;
  readonly gates: readonly Gate[];
  readonly events: readonly EventNote[];
  readonly patches: readonly ObjectPatch[];
  readonly wakeAtMs?: number;
  readonly stalled?: Stall;
  /** Undefined: nothing is built, and what is ours stays where `entries` do not say otherwise. */
  readonly plan?: { readonly app: AppPlan; readonly clusters: readonly ClusterPlan[] };
  /** Said directly, by cluster: removal of a whole release. */
  readonly entries: Readonly<Record<string, readonly Entry[]>>;
}
