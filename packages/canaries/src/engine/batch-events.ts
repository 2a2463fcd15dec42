import type { BatchRequest } from "@chaski/api";
import type { EventNote } from "@chaski/runtime/decision";
import type { BatchState } from "./batch-state.ts";
import type { CanaryWorld } from "./world.ts";

/** Transitions only: what the status before this pass did not say yet. */
export function batchEvents(world: CanaryWorld, request: BatchRequest, state: BatchState, isComplete: boolean): EventNote[] {
  const before = world.canary.status?.revision === state.revision ? world.canary.status : undefined;
  const { batch, target } = state;
  const wasFinished = (number: number): boolean => before?.info?.[`batch${number}Status`] === "Finished";
  const hasMoved = before?.currentBatch !== batch;
  const previous = before?.currentBatch ?? batch;
  return [
    ...(previous < batch && !wasFinished(previous) ? [finished(previous, request)] : []),
    ...(hasMoved ? [note("BatchStarted", `batch ${batch} of ${request.totalBatches}: ${target} of ${request.replicas} pods`)] : []),
    ...(state.isReached && (hasMoved || !wasFinished(batch)) ? [finished(batch, request)] : []),
    ...(state.isPaused && before?.paused !== true ? [note("BatchPaused", `batch ${batch} waits for approval`)] : []),
    ...(isComplete && !wasComplete(world) ? [note("ReleaseCompleted", `${request.container.image} serves with ${request.replicas} pods`)] : []),
  ];
}

function finished(batch: number, { totalBatches }: BatchRequest): EventNote {
  return note("BatchFinished", `batch ${batch} of ${totalBatches} is available`);
}

export function note(reason: string, message: string): EventNote {
  return { type: "Normal", reason, message };
}

export function wasComplete({ canary }: CanaryWorld): boolean {
  const ready = canary.status?.conditions?.find(({ type }) => type === "Ready");
  return ready?.status === "True" && canary.status?.observedGeneration === canary.metadata.generation;
}
