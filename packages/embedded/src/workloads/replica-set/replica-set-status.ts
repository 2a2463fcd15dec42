import {
  findCondition,
  matchesLabels,
  type Pod,
  type ReplicaSet,
  type ReplicaSetCondition,
  type ReplicaSetStatus,
  readLabelSelector,
} from "@chaski/kube";
import { availableFromMs, isReady } from "../pods/pod-facts.ts";

export interface Counted {
  readonly replicaSet: ReplicaSet;
  readonly active: readonly Pod[];
  readonly terminating: readonly Pod[];
  /** Why pods could not be created or deleted. */
  readonly failure: Error | undefined;
  readonly nowMs: number;
  readonly now: string;
}

export function statusOf(counted: Counted): ReplicaSetStatus {
  const { replicaSet, active, terminating, nowMs } = counted;
  const template = readLabelSelector({ matchLabels: replicaSet.spec.template?.metadata?.labels ?? {} });
  const isLabeled = ({ metadata }: Pod): boolean => template.ok && matchesLabels(template.value, metadata.labels);
  const minReadySeconds = replicaSet.spec.minReadySeconds ?? 0;
  const isAvailable = (pod: Pod): boolean => (availableFromMs(pod, minReadySeconds) ?? Infinity) <= nowMs;
  const conditions = conditionsOf(counted);
  return {
    replicas: active.length,
    fullyLabeledReplicas: active.filter(isLabeled).length,
    readyReplicas: active.filter(isReady).length,
    availableReplicas: active.filter(isAvailable).length,
    terminatingReplicas: terminating.length,
    observedGeneration: replicaSet.metadata.generation ?? 0,
    ...(conditions.length > 0 && { conditions }),
  };
}

const FAILURE = "ReplicaFailure";

function conditionsOf({ replicaSet, active, failure, now }: Counted): readonly ReplicaSetCondition[] {
  const before = replicaSet.status?.conditions ?? [];
  const known = findCondition(before, FAILURE);
  const others = before.filter(({ type }) => type !== FAILURE);
  if (!failure) return others;
  if (known) return before;
  const reason = active.length < (replicaSet.spec.replicas ?? 0) ? "FailedCreate" : "FailedDelete";
  return [...others, { type: FAILURE, status: "True", reason, message: failure.message, lastTransitionTime: now }];
}

/** Absent numbers are zero. */
export function isSameStatus(left: ReplicaSetStatus | undefined, right: ReplicaSetStatus): boolean {
  const numbers = [
    "replicas",
    "fullyLabeledReplicas",
    "readyReplicas",
    "availableReplicas",
    "observedGeneration",
  ] as const;
  return (
    left !== undefined &&
    numbers.every((field) => (left[field] ?? 0) === (right[field] ?? 0)) &&
    left.terminatingReplicas === right.terminatingReplicas &&
    JSON.stringify(left.conditions ?? []) === JSON.stringify(right.conditions ?? [])
  );
}
