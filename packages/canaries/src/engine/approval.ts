// Who may go how far (spec §9). The controller never writes spec: what it takes from `currentBatch` lives in status.
import { APPROVES_ANNOTATION, type BatchRequest, type Canary, type CanaryStatus } from "@chaski/api";

export interface Approval {
  /** The highest batch that this revision may enter. */
  readonly approvedBatch: number;
  readonly seenCurrentBatch: number;
  /** Lowered below what was approved: go back to that batch and hold. */
  readonly isRetreat: boolean;
}

/**
 * An approval belongs to a revision. A `currentBatch` left over from an earlier image approves nothing; a change of it
 * does, and so does the annotation that names the revision. On the first sight of a Canary its value counts as it is.
 */
export function readApproval(canary: Canary, request: BatchRequest, revision: string): Approval {
  const { status } = canary;
  const seenCurrentBatch = request.currentBatch;
  if (status?.revision === undefined)
    return { approvedBatch: request.currentBatch, seenCurrentBatch, isRetreat: false };
  const before = status.revision === revision ? (status.approvedBatch ?? 1) : 1;
  if (!isWordForThisRevision(canary, status, revision, seenCurrentBatch)) {
    return { approvedBatch: before, seenCurrentBatch, isRetreat: false };
  }
  return { approvedBatch: seenCurrentBatch, seenCurrentBatch, isRetreat: seenCurrentBatch < before };
}

function isWordForThisRevision(canary: Canary, status: CanaryStatus, revision: string, currentBatch: number): boolean {
  if (canary.metadata.annotations?.[APPROVES_ANNOTATION] === revision) return true;
  return status.revision === revision && status.seenCurrentBatch !== currentBatch;
}

/** Whether a finished batch waits for a person before the next one. */
export function pausesAfter({ pauseType, totalBatches }: BatchRequest, batch: number): boolean {
  if (batch >= totalBatches) return false;
  switch (pauseType) {
    case "First":
      return batch === 1;
    case "All":
      return true;
    case "None":
      return false;
  }
}
