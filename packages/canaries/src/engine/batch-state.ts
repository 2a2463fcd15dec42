// In which batch a release stands after this pass, and whether it waits there (spec §8–9).
import type { BatchRequest } from "@chaski/api";
import { runs } from "../objects/template.ts";
import { type Approval, pausesAfter, readApproval } from "./approval.ts";
import { batchTarget } from "./batch-targets.ts";
import { revisionOf } from "./identity.ts";
import { hasReached } from "./pair-scale.ts";
import type { Pair } from "./side.ts";
import type { CanaryWorld } from "./world.ts";

export interface BatchState {
  readonly revision: string;
  readonly approval: Approval;
  readonly batch: number;
  /** A retreat holds at its batch until a higher one is approved. */
  readonly heldBatch: number | undefined;
  /** Pods of the newer side at the end of the batch. */
  readonly target: number;
  readonly isReached: boolean;
  readonly isComplete: boolean;
  readonly isPaused: boolean;
}

type Standing = Pick<BatchState, "revision" | "approval" | "batch" | "heldBatch">;

/** One step at most: from a finished batch to the next, if it may. */
export function batchState(world: CanaryWorld, request: BatchRequest, pair: Pair): BatchState {
  const standing = standingOf(world, request, pair);
  const here = measure(world, request, pair, standing);
  if (!here.isReached || here.batch >= request.totalBatches) return here;
  if (!mayAdvance(request, standing)) return { ...here, isPaused: true };
  return measure(world, request, pair, { ...standing, batch: standing.batch + 1 });
}

function standingOf({ canary }: CanaryWorld, request: BatchRequest, { older }: Pair): Standing {
  const revision = revisionOf(request);
  const approval = readApproval(canary, request, revision);
  const before = canary.status?.revision === revision ? canary.status : undefined;
  const heldBatch = heldAt(approval, before?.heldBatch);
  const current = Math.min(before?.currentBatch ?? 1, heldBatch ?? request.totalBatches);
  // An install where nothing served before, or a release of no pods, has no batches to wait for.
  const isAllAtOnce = older.deployment === undefined || request.replicas === 0;
  return { revision, approval, heldBatch, batch: isAllAtOnce ? request.totalBatches : current };
}

function heldAt({ isRetreat, approvedBatch }: Approval, before: number | undefined): number | undefined {
  if (isRetreat) return approvedBatch;
  return before !== undefined && approvedBatch > before ? undefined : before;
}

function mayAdvance(request: BatchRequest, { batch, approval, heldBatch }: Standing): boolean {
  return batch < approval.approvedBatch || (heldBatch === undefined && !pausesAfter(request, batch));
}

function measure(world: CanaryWorld, request: BatchRequest, pair: Pair, standing: Standing): BatchState {
  const target = batchTarget(request, standing.batch);
  const { deployment } = pair.newer;
  const isCurrent = deployment !== undefined && runs(deployment, world.canary.metadata.name, request.container);
  const isReached = isCurrent && hasReached(request.replicas, target, pair);
  const isComplete = isReached && standing.batch === request.totalBatches;
  return { ...standing, target, isReached, isComplete, isPaused: false };
}
