import type { BatchRequest, CanaryStatus } from "@chaski/api";
import type { EventNote } from "@chaski/runtime/decision";
import type { BatchState } from "./batch-state.ts";
import { doOverlap, podsOf, podsOfNewer } from "./selectors.ts";
import { type CanaryWorld, deploymentNamed } from "./world.ts";

/** Transitions only: what the status before this pass did not say yet. */
export function batchEvents(world: CanaryWorld, request: BatchRequest, state: BatchState): EventNote[] {
  const before = statusOfRevision(world, state.revision);
  const toldFinished = Object.keys(before?.info ?? {}).filter((key) => before?.info?.[key] === "Finished");
  const reached = state.isReached ? state.batch : state.batch - 1;
  const newlyFinished = numbersTo(reached).filter((number) => !toldFinished.includes(`batch${number}Status`));
  const isStarted = before?.currentBatch === state.batch;
  return [
    // What began before is told to have ended before the next one begins.
    ...newlyFinished.filter((number) => number < state.batch).map((number) => finished(number, request)),
    ...(isStarted ? [] : [started(request, state)]),
    ...newlyFinished.filter((number) => number === state.batch).map((number) => finished(number, request)),
    ...(state.isPaused && !before?.paused ? [note("BatchPaused", `batch ${state.batch} waits for approval`)] : []),
  ];
}

/** The status that an earlier pass over the same revision left. */
function statusOfRevision({ canary: { status } }: CanaryWorld, revision: string): CanaryStatus | undefined {
  return status?.revision === revision ? status : undefined;
}

/** What a person should know about a release as it begins. */
export function startEvents(world: CanaryWorld, request: BatchRequest, revision: string): EventNote[] {
  if (statusOfRevision(world, revision) !== undefined) return [];
  const older = deploymentNamed(world, request.oldName);
  const newer = podsOfNewer(world, request);
  const isBroad = older !== undefined && newer !== undefined && doOverlap(newer, podsOf(older));
  const surplus = request.totalBatches - request.replicas;
  return [
    ...(isBroad ? [broadSelector(request)] : []),
    ...(surplus > 0 && request.replicas > 0
      ? [note("SurplusBatches", `there are ${surplus} more batches than pods: they finish at once`)]
      : []),
  ];
}

function broadSelector({ oldName, newName }: BatchRequest): EventNote {
  const message = `the selector of Deployment ${oldName} also matches the pods of ${newName}: whatever selects by it counts both until ${oldName} is gone`;
  return { type: "Warning", reason: "SelectorOverlap", message };
}

export function completionEvents(world: CanaryWorld, request: BatchRequest): EventNote[] {
  const message = `${request.container.image} serves with ${request.replicas} pods`;
  return wasComplete(world) ? [] : [note("ReleaseCompleted", message)];
}

export function numbersTo(count: number): readonly number[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => index + 1);
}

function started({ totalBatches, replicas }: BatchRequest, { batch, target }: BatchState): EventNote {
  return note("BatchStarted", `batch ${batch} of ${totalBatches}: ${target} of ${replicas} pods`);
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
