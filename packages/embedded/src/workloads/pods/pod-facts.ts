// What controllers ask about a pod.
import { findCondition, isTrue, type Pod, timeMs } from "@chaski/kube";
import { isBeingDeleted } from "../ownership.ts";

export function hasEnded({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/** Neither ended nor about to. */
export function isActive(pod: Pod): boolean {
  return !hasEnded(pod) && !isBeingDeleted(pod);
}

export function isReady({ status }: Pod): boolean {
  return isTrue(status?.conditions, "Ready");
}

/** Since when it is ready; undefined when it is not. */
export function readySinceMs(pod: Pod): number | undefined {
  if (!isReady(pod)) return undefined;
  const since = findCondition(pod.status?.conditions, "Ready")?.lastTransitionTime;
  return since === undefined ? undefined : timeOf(since);
}

/** When the pod will have been ready for that long; undefined while it is not ready. */
export function availableFromMs(pod: Pod, minReadySeconds: number): number | undefined {
  const since = readySinceMs(pod);
  return since === undefined ? undefined : since + minReadySeconds * 1_000;
}

export function timeOf(timestamp: string | undefined): number {
  return timeMs(timestamp) ?? 0;
}
