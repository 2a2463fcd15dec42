import type { BatchRequest } from "@chaski/api";
import type { Gate, Stall } from "@chaski/runtime/decision";
import type { Side } from "./side.ts";

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

export function availabilityGate(name: string, side: Side, target: number): Gate {
  const counts = { value: String(side.available), threshold: String(target) };
  if (!side.isObserved) {
    return {
      name: "Available",
      verdict: "waiting",
      message: `Deployment ${name} has not taken up its new spec yet`,
      ...counts,
    };
  }
  if (Math.min(side.available, side.updated) >= target) {
    return {
      name: "Available",
      verdict: "passed",
      message: `Deployment ${name} has ${target} pods available`,
      ...counts,
    };
  }
  const message = `Deployment ${name} has ${Math.min(side.available, side.updated)} of ${target} pods available`;
  return { name: "Available", verdict: "waiting", message, ...counts, unblock: "the pods become ready" };
}

export function drainGate(name: string, side: Side, target: number): Gate {
  const counts = { value: String(side.replicas), threshold: String(target) };
  return side.deployment === undefined || side.replicas <= target
    ? { name: "Drained", verdict: "passed", message: `Deployment ${name} is at ${target} pods`, ...counts }
    : {
        name: "Drained",
        verdict: "waiting",
        message: `Deployment ${name} is at ${side.replicas} pods and goes to ${target}`,
        ...counts,
      };
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
