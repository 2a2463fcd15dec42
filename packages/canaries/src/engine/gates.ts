import type { BatchRequest } from "@chaski/api";
import type { Gate, Stall } from "@chaski/runtime/decision";
import type { BatchState } from "./batch-state.ts";
import type { Pair, Side } from "./side.ts";

export function specGate(problem?: string): Gate {
  return problem === undefined
    ? { name: "Spec", verdict: "passed", message: "the spec is valid" }
    : { name: "Spec", verdict: "failed", message: problem, unblock: "correct the spec" };
}

export function obstacleGate(obstacle?: Stall): Gate {
  return obstacle
    ? { name: "Unobstructed", verdict: "failed", message: obstacle.message, value: obstacle.reason }
    : { name: "Unobstructed", verdict: "passed", message: "nothing else claims the Deployments" };
}

/** What moves with every pod stands in the value: a message that counted along would be a status write each time. */
export function availabilityGate(name: string, side: Side, target: number): Gate {
  const available = Math.min(side.available, side.updated);
  const gate = { name: "Available", value: String(available), threshold: String(target) };
  return side.isObserved && available >= target
    ? { ...gate, verdict: "passed", message: `Deployment ${name} has ${target} pods available` }
    : {
        ...gate,
        verdict: "waiting",
        message: `Deployment ${name} does not have ${target} pods available yet`,
        unblock: "the pods become ready",
      };
}

/**
 * Whether the newer Deployment carries its share: its pods are available and the older one has given way for them, which
 * is one and the same step to whoever waits for it.
 */
export function carriedGate({ newName, replicas }: BatchRequest, pair: Pair, { target, isReached }: BatchState): Gate {
  const gate = { name: "Available", value: String(carried(replicas, pair)), threshold: String(target) };
  return isReached
    ? { ...gate, verdict: "passed", message: `Deployment ${newName} carries ${target} pods` }
    : {
        ...gate,
        verdict: "waiting",
        message: `Deployment ${newName} does not carry ${target} pods yet`,
        unblock: "its pods become ready, and as many older ones go",
      };
}

/**
 * Available pods for which the older Deployment has given way: they end together with their batch, and so do their
 * writes. Of one that is asked for no pods any more, those that are left count.
 */
function carried(total: number, { older, newer }: Pair): number {
  return Math.max(0, Math.min(newer.available, newer.updated, total - (older.replicas || older.existing)));
}

export function drainGate(name: string, side: Side, target: number): Gate {
  const gate = { name: "Drained", value: String(side.replicas), threshold: String(target) };
  return side.deployment === undefined || side.replicas <= target
    ? { ...gate, verdict: "passed", message: `Deployment ${name} is at ${target} pods` }
    : { ...gate, verdict: "waiting", message: `Deployment ${name} has not gone down to ${target} pods yet` };
}

export function approvalGate(canaryName: string, request: BatchRequest, batch: number, isPaused: boolean): Gate {
  if (!isPaused)
    return { name: "Approval", verdict: "passed", message: `batch ${batch} may go on`, subject: `batch ${batch}` };
  return {
    name: "Approval",
    verdict: "waiting",
    subject: `batch ${batch}`,
    message: `batch ${batch} of ${request.totalBatches} is finished and waits for approval`,
    value: String(batch),
    threshold: String(batch + 1),
    unblock: `chaski canary approve ${canaryName}, or set currentBatch to ${batch + 1}`,
  };
}
