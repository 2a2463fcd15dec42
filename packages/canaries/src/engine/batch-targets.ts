// How many pods of the newer version a batch ends with (spec §8).
import type { BatchRequest } from "@chaski/api";

export type BatchPlan = Pick<BatchRequest, "replicas" | "totalBatches" | "batchMode">;

/** The newer side's pods at the end of batch `batch`; never more than there are replicas, and all of them in the last. */
export function batchTarget(plan: BatchPlan, batch: number): number {
  if (batch >= plan.totalBatches) return plan.replicas;
  const target = plan.batchMode === "even" ? evenTarget(plan, batch) : articleTarget(plan, batch);
  return Math.min(Math.max(target, 0), plan.replicas);
}

/** One pod first, then equal steps, rounded half up; the last batch takes the slack. */
function articleTarget({ replicas, totalBatches }: BatchPlan, batch: number): number {
  const step = Math.floor(replicas / totalBatches + 0.5);
  return 1 + (batch - 1) * step;
}

/** One pod first, and the rest divided evenly among the batches after it. */
function evenTarget({ replicas, totalBatches }: BatchPlan, batch: number): number {
  return 1 + Math.ceil(((replicas - 1) * (batch - 1)) / (totalBatches - 1));
}
