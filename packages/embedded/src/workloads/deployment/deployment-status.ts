import {
  type Deployment,
  type DeploymentCondition,
  type DeploymentStatus,
  findCondition,
  type ReplicaSet,
} from "@chaski/kube";
import { timeOf } from "../pods/pod-facts.ts";
import { minAvailable, replicasOf } from "./bounds.ts";
import { allOf, type Rollout, sum, wantedIn } from "./rollout.ts";

const NO_DEADLINE = 2 ** 31 - 1;

/** What there is of each kind of replica, and whether that is enough. */
export function countedStatus(rollout: Rollout, now: string): DeploymentStatus {
  const { deployment, newer } = rollout;
  const all = allOf(rollout);
  const availableReplicas = sum(all, ({ status }) => status?.availableReplicas);
  const status: DeploymentStatus = {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: sum(all, ({ status }) => status?.replicas),
    updatedReplicas: newer?.status?.replicas ?? 0,
    readyReplicas: sum(all, ({ status }) => status?.readyReplicas),
    availableReplicas,
    unavailableReplicas: Math.max(0, wantedIn(all) - availableReplicas),
    terminatingReplicas: sum(all, ({ status }) => status?.terminatingReplicas),
    conditions: deployment.status?.conditions ?? [],
    ...(deployment.status?.collisionCount !== undefined && { collisionCount: deployment.status.collisionCount }),
  };
  return withCondition(status, availability(availableReplicas >= minAvailable(deployment)), now);
}

type Claim = Pick<DeploymentCondition, "type" | "status" | "reason" | "message">;

function availability(isEnough: boolean): Claim {
  return isEnough
    ? {
        type: "Available",
        status: "True",
        reason: "MinimumReplicasAvailable",
        message: "Deployment has minimum availability.",
      }
    : {
        type: "Available",
        status: "False",
        reason: "MinimumReplicasUnavailable",
        message: "Deployment does not have minimum availability.",
      };
}

/** The counted status, and how the rollout is getting on. */
export function rolloutStatus(rollout: Rollout, { now, nowMs }: { now: string; nowMs: number }): DeploymentStatus {
  const { deployment } = rollout;
  const counted = countedStatus(rollout, now);
  const before = progressOf(deployment);
  if (!hasDeadline(deployment)) return withReplicaFailure(without(counted, "Progressing"), rollout, now);
  const isFinished = counted.replicas === counted.updatedReplicas && before?.reason === "NewReplicaSetAvailable";
  const progressed = isFinished ? counted : withProgress(rollout, counted, { now, nowMs });
  return withReplicaFailure(progressed, rollout, now);
}

function withProgress(
  rollout: Rollout,
  counted: DeploymentStatus,
  { now, nowMs }: { now: string; nowMs: number },
): DeploymentStatus {
  const { deployment } = rollout;
  if (isComplete(deployment, counted)) return withCondition(counted, COMPLETE(rollout), now);
  if (isProgressing(deployment, counted)) return withFreshProgress(counted, rollout, now);
  return isOverdue(deployment, nowMs) ? withCondition(counted, OVERDUE(rollout), now) : counted;
}

const COMPLETE = (rollout: Rollout): Claim =>
  progress("True", "NewReplicaSetAvailable", `${subjectOf(rollout)} has successfully progressed.`);
const ONGOING = (rollout: Rollout): Claim =>
  progress("True", "ReplicaSetUpdated", `${subjectOf(rollout)} is progressing.`);
const OVERDUE = (rollout: Rollout): Claim =>
  progress("False", "ProgressDeadlineExceeded", `${subjectOf(rollout)} has timed out progressing.`);

export function progress(status: "True" | "False" | "Unknown", reason: string, message: string): Claim {
  return { type: "Progressing", status, reason, message };
}

function subjectOf({ deployment, newer }: Rollout): string {
  return newer ? `ReplicaSet "${newer.metadata.name}"` : `Deployment "${deployment.metadata.name}"`;
}

/** Every progress counts anew against the deadline, so the time of the update moves although nothing else may. */
function withFreshProgress(status: DeploymentStatus, rollout: Rollout, now: string): DeploymentStatus {
  const before = progressOf(rollout.deployment);
  const since = before?.status === "True" ? before.lastTransitionTime : now;
  const condition = { ...ONGOING(rollout), lastUpdateTime: now, lastTransitionTime: since ?? now };
  const others = without(status, "Progressing").conditions ?? [];
  return { ...status, conditions: [...others, condition] };
}

/** Nothing changes when status and reason are the same already. */
export function withCondition(status: DeploymentStatus, claim: Claim, now: string): DeploymentStatus {
  const before = findCondition(status.conditions, claim.type);
  if (before?.status === claim.status && before.reason === claim.reason) return status;
  const since = before?.status === claim.status ? before.lastTransitionTime : now;
  const condition = { ...claim, lastUpdateTime: now, lastTransitionTime: since ?? now };
  return { ...status, conditions: [...(without(status, claim.type).conditions ?? []), condition] };
}

function without(status: DeploymentStatus, type: string): DeploymentStatus {
  return { ...status, conditions: (status.conditions ?? []).filter((condition) => condition.type !== type) };
}

const FAILURE = "ReplicaFailure";

function withReplicaFailure(status: DeploymentStatus, rollout: Rollout, now: string): DeploymentStatus {
  const candidates: readonly ReplicaSet[] = rollout.newer ? [rollout.newer, ...rollout.olders] : rollout.olders;
  const failure = candidates
    .map((replicaSet) => findCondition(replicaSet.status?.conditions, FAILURE))
    .find((condition) => condition !== undefined);
  if (!failure) return without(status, FAILURE);
  const { reason = "", message = "", lastTransitionTime = now } = failure;
  const before = findCondition(status.conditions, FAILURE);
  if (before?.status === failure.status && before.reason === reason) return status;
  const condition = {
    type: FAILURE,
    status: failure.status,
    reason,
    message,
    lastUpdateTime: lastTransitionTime,
    lastTransitionTime,
  };
  return { ...status, conditions: [...(without(status, FAILURE).conditions ?? []), condition] };
}

export function hasDeadline({ spec }: Deployment): boolean {
  return spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== NO_DEADLINE;
}

export function progressOf({ status }: Deployment): DeploymentCondition | undefined {
  return findCondition(status?.conditions, "Progressing");
}

export function isComplete(deployment: Deployment, status: DeploymentStatus | undefined): boolean {
  const wanted = replicasOf(deployment);
  const isObserved = (status?.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0);
  return isObserved && COMPLETE_COUNTS.every((field) => count(status, field) === wanted);
}

const COMPLETE_COUNTS = ["updatedReplicas", "replicas", "availableReplicas"] as const;

/** More new pods, fewer old ones, more that are ready or available. */
function isProgressing({ status: before }: Deployment, after: DeploymentStatus): boolean {
  return (
    count(after, "updatedReplicas") > count(before, "updatedReplicas") ||
    oldReplicas(after) < oldReplicas(before) ||
    count(after, "readyReplicas") > count(before, "readyReplicas") ||
    count(after, "availableReplicas") > count(before, "availableReplicas")
  );
}

function oldReplicas(status: DeploymentStatus | undefined): number {
  return count(status, "replicas") - count(status, "updatedReplicas");
}

type Count = "updatedReplicas" | "replicas" | "readyReplicas" | "availableReplicas";

function count(status: DeploymentStatus | undefined, field: Count): number {
  return status?.[field] ?? 0;
}

function isOverdue(deployment: Deployment, nowMs: number): boolean {
  const condition = progressOf(deployment);
  if (!condition || condition.reason === "NewReplicaSetAvailable") return false;
  return condition.reason === "ProgressDeadlineExceeded" || deadlineMs(deployment) < nowMs;
}

export function deadlineMs(deployment: Deployment): number {
  return timeOf(progressOf(deployment)?.lastUpdateTime) + (deployment.spec.progressDeadlineSeconds ?? 0) * 1_000;
}
