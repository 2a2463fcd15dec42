// How a rolling update moves pods from the old ReplicaSets to the new one without falling below what must be available.
import type { ReplicaSet } from "@chaski/kube";
import { isRolling, maxSurge, minAvailable, replicasOf } from "./bounds.ts";
import { activeOf, allOf, oldestFirst, type Rollout, sum, wantedIn } from "./rollout.ts";

export interface Resize {
  readonly replicaSet: ReplicaSet;
  readonly replicas: number;
}

/** The size that the ReplicaSet of the current template may have now. */
export function sizeOfNewer({ deployment, olders }: Rollout, current: number): number {
  const wanted = replicasOf(deployment);
  if (!isRolling(deployment) || current > wanted) return wanted;
  const room = wanted + maxSurge(deployment) - wantedIn(olders) - current;
  return room <= 0 ? current : current + Math.min(room, wanted - current);
}

/** The old ReplicaSets that may shrink now: first by their unhealthy pods, then by what is available beyond need. */
export function shrinkOlders(rollout: Rollout): Resize[] {
  const { deployment, newer } = rollout;
  const olders = oldestFirst(activeOf(rollout.olders));
  if (!newer || olders.length === 0) return [];
  const minimum = minAvailable(deployment);
  const newUnavailable = replicasOf(newer) - availableIn(newer);
  const spare = wantedIn(allOf(rollout)) - minimum - newUnavailable;
  if (spare <= 0) return [];
  const unhealthy = takeFrom(olders, spare, (replicaSet) => replicasOf(replicaSet) - availableIn(replicaSet));
  const left = olders.map((replicaSet) => resized(replicaSet, unhealthy));
  const beyondNeed = sum([...olders, newer], availableIn) - minimum;
  return [...unhealthy, ...takeFrom(left, beyondNeed, replicasOf)];
}

function availableIn({ status }: ReplicaSet): number {
  return status?.availableReplicas ?? 0;
}

/** Takes up to `count` replicas from the ReplicaSets in turn, from each at most what `takeable` says. */
function takeFrom(
  replicaSets: readonly ReplicaSet[],
  count: number,
  takeable: (replicaSet: ReplicaSet) => number,
): Resize[] {
  const resizes: Resize[] = [];
  let left = count;
  for (const replicaSet of replicaSets) {
    const taken = Math.min(left, replicasOf(replicaSet), takeable(replicaSet));
    if (taken <= 0) continue;
    resizes.push({ replicaSet, replicas: replicasOf(replicaSet) - taken });
    left -= taken;
  }
  return resizes;
}

function resized(replicaSet: ReplicaSet, resizes: readonly Resize[]): ReplicaSet {
  const resize = resizes.find((candidate) => candidate.replicaSet === replicaSet);
  return resize ? { ...replicaSet, spec: { ...replicaSet.spec, replicas: resize.replicas } } : replicaSet;
}
