// CanaryDeploy: the newer Deployment grows batch by batch while the older one gives way (spec §8–9).
import type { BatchRequest, CanaryStatus } from "@chaski/api";
import { defined } from "@chaski/kube";
import {
  type Decision,
  type Entry,
  type EventNote,
  type Gate,
  remove,
  type Stall,
  scale,
} from "@chaski/runtime/decision";
import { applyDeployment, deploymentRef } from "../objects/deployment.ts";
import { recordTemplate } from "../objects/history.ts";
import { plainTemplate, runs } from "../objects/template.ts";
import { adoption } from "./adoption.ts";
import { batchEvents, completionEvents, numbersTo, startEvents } from "./batch-events.ts";
import { type BatchState, batchState } from "./batch-state.ts";
import { batchTarget } from "./batch-targets.ts";
import { decideReturn, isReturn } from "./decide-return.ts";
import { approvalGate, carriedGate, obstacleGate, specGate } from "./gates.ts";
import { decided, halted, missedDeadline } from "./outcome.ts";
import { pairScale } from "./pair-scale.ts";
import { isEmpty, type Pair, sideOf } from "./side.ts";
import { type CanaryWorld, deploymentNamed } from "./world.ts";

export function decideBatch(world: CanaryWorld, request: BatchRequest): Decision<CanaryStatus> {
  const pair = {
    older: sideOf(deploymentNamed(world, request.oldName)),
    newer: sideOf(deploymentNamed(world, request.newName)),
  };
  if (isReturn(world, request, pair)) return decideReturn(world, request, pair);
  const shortening = refuseShortening(world, request, pair);
  if (shortening) return halted(world, shortening, [specGate(shortening.message)]);

  const state = batchState(world, request, pair);
  return decided(world, {
    entries: [...newerEntries(world, request, pair, state), ...olderEntries(world, request, pair, state)],
    gates: gatesOf(world, request, pair, state),
    events: eventsOf(world, request, state),
    status: statusOf(request, pair, state),
    phase: phaseOf(state),
    stall: state.isReached ? undefined : missedDeadline(pair.newer),
  });
}

function phaseOf({ isComplete, isPaused }: BatchState): "Complete" | "Paused" | "Progressing" {
  if (isComplete) return "Complete";
  return isPaused ? "Paused" : "Progressing";
}

/** Fewer batches than the release is in: final only if the last one was approved by its own number. */
function refuseShortening({ canary }: CanaryWorld, request: BatchRequest, { older }: Pair): Stall | undefined {
  const { totalBatches, currentBatch } = request;
  const batch = canary.status?.currentBatch ?? 1;
  if (batch <= totalBatches || currentBatch === totalBatches || older.deployment === undefined) return undefined;
  const message = `totalBatches is ${totalBatches}, but the release is in batch ${batch}: set currentBatch to ${totalBatches} to finish it, or raise totalBatches`;
  return { reason: "InvalidSpec", message };
}

function newerEntries(world: CanaryWorld, request: BatchRequest, pair: Pair, { target }: BatchState): Entry[] {
  const { canary, history } = world;
  const { older, newer } = pair;
  const { newer: replicas } = pairScale(request.replicas, target, pair);
  const recording = recordTemplate(canary, history, older.deployment);
  const base =
    newer.deployment?.spec.template ??
    older.deployment?.spec.template ??
    plainTemplate(request.newName, request.container.image);
  const build = { name: request.newName, container: request.container, base, replicas, isOfPair: true };
  return [
    ...recording,
    ...(mayChangeTemplate(world, request, pair) ? [applyDeployment(canary, build)] : []),
    ...(newer.deployment ? [scale(deploymentRef(canary, request.newName), replicas)] : []),
  ];
}

/**
 * A newer image replaces the pods of the one before it only when those are down to what batch 1 may expose: otherwise
 * the Deployment's own rolling update would spread the new image over every pod that the earlier one had won.
 */
function mayChangeTemplate({ canary }: CanaryWorld, request: BatchRequest, { older, newer }: Pair): boolean {
  if (!newer.deployment || !older.deployment) return true;
  if (runs(newer.deployment, canary.metadata.name, request.container)) return true;
  return newer.isObserved && newer.existing <= batchTarget(request, 1);
}

/**
 * What is left of it goes once the newer one has all pods in the last batch, whichever image they run: as long as the
 * older one is there, an image that has changed meanwhile waits for the newer one to shrink.
 */
function olderEntries(world: CanaryWorld, request: BatchRequest, pair: Pair, { target }: BatchState): Entry[] {
  const { older, newer } = pair;
  if (!older.deployment) return [];
  const ref = deploymentRef(world.canary, request.oldName);
  const hasAll = newer.replicas >= request.replicas && newer.available >= request.replicas;
  if (hasAll && isEmpty(older) && world.canary.status?.currentBatch === request.totalBatches)
    return [remove(ref, "the last batch is available")];
  return [...adoption(world, request.oldName), scale(ref, pairScale(request.replicas, target, pair).older)];
}

function eventsOf(world: CanaryWorld, request: BatchRequest, state: BatchState): EventNote[] {
  return [
    ...startEvents(world, request, state.revision),
    ...batchEvents(world, request, state),
    ...(state.isComplete ? completionEvents(world, request) : []),
  ];
}

function gatesOf({ canary }: CanaryWorld, request: BatchRequest, pair: Pair, state: BatchState): readonly Gate[] {
  return [
    specGate(),
    obstacleGate(),
    carriedGate(request, pair, state),
    approvalGate(canary.metadata.name, request, state.batch, state.isPaused),
  ];
}

function statusOf(request: BatchRequest, { older, newer }: Pair, state: BatchState): CanaryStatus {
  // The surge of each batch is not told: it would cost a status write when it comes and one when it goes.
  const available = Math.min(older.available + newer.available, request.replicas);
  const { batch, approval, heldBatch } = state;
  return defined({
    info: { ...batchInfo(state), availableReplicas: String(available) },
    type: request.type,
    image: request.container.image,
    revision: state.revision,
    currentBatch: batch,
    approvedBatch: approval.approvedBatch,
    seenCurrentBatch: approval.seenCurrentBatch,
    heldBatch,
    batch: `${batch}/${request.totalBatches}`,
    availableReplicas: available,
    paused: state.isPaused,
  });
}

/** The article's keys: every batch that was entered. */
function batchInfo({ batch, isReached }: BatchState): Record<string, string> {
  const progress = (number: number): string => (number < batch || isReached ? "Finished" : "Ing");
  return Object.fromEntries(numbersTo(batch).map((number) => [`batch${number}Status`, progress(number)]));
}
