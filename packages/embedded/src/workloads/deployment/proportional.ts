// How a change of the wanted number is shared out while several ReplicaSets have pods: in proportion, so that scaling
// neither hastens nor undoes a rollout.
import type { Deployment, ReplicaSet } from "@chaski/kube";
import { isRolling, maxSurge, replicasOf } from "./bounds.ts";
import { annotatedNumber, DESIRED_REPLICAS, MAX_REPLICAS } from "./revisions.ts";
import type { Resize } from "./rolling.ts";
import { activeOf, allOf, oldestFirst, type Rollout, wantedIn } from "./rollout.ts";

/** Whether the wanted number has changed since the ReplicaSets were last scaled. */
export function isScalingEvent(rollout: Rollout): boolean {
  return activeOf(allOf(rollout)).some((replicaSet) => {
    const desired = annotatedNumber(replicaSet, DESIRED_REPLICAS);
    return desired !== undefined && desired !== replicasOf(rollout.deployment);
  });
}

export function scaleAll(rollout: Rollout): Resize[] {
  const { deployment, newer } = rollout;
  const wanted = replicasOf(deployment);
  const only = onlyOneThatCounts(rollout);
  if (only) return replicasOf(only) === wanted ? [] : [{ replicaSet: only, replicas: wanted }];
  if (newer && isSaturated(deployment, newer))
    return activeOf(rollout.olders).map((replicaSet) => ({ replicaSet, replicas: 0 }));
  return isRolling(deployment) ? shareOut(rollout) : [];
}

/** The one with pods or, where none has any, the newest; undefined when several have. */
function onlyOneThatCounts({ newer, olders }: Rollout): ReplicaSet | undefined {
  const active = activeOf(newer ? [...olders, newer] : olders);
  if (active.length > 1) return undefined;
  return active[0] ?? newer ?? oldestFirst(olders).at(-1);
}

function isSaturated(deployment: Deployment, newer: ReplicaSet): boolean {
  const wanted = replicasOf(deployment);
  return (
    replicasOf(newer) === wanted &&
    annotatedNumber(newer, DESIRED_REPLICAS) === wanted &&
    (newer.status?.availableReplicas ?? 0) === wanted
  );
}

function shareOut(rollout: Rollout): Resize[] {
  const { deployment } = rollout;
  const wanted = replicasOf(deployment);
  const active = activeOf(allOf(rollout));
  const toAdd = (wanted > 0 ? wanted + maxSurge(deployment) : 0) - wantedIn(active);
  const ordered = largestFirst(active, toAdd);
  let added = 0;
  const resizes = ordered.map((replicaSet) => {
    const share = shareOf(replicaSet, deployment, { toAdd, added });
    added += share;
    return { replicaSet, replicas: replicasOf(replicaSet) + share };
  });
  const [largest, ...others] = resizes;
  if (!largest) return [];
  return [{ ...largest, replicas: Math.max(0, largest.replicas + toAdd - added) }, ...others];
}

/** Of the same size: the newer one grows first, the older one shrinks first. */
function largestFirst(replicaSets: readonly ReplicaSet[], toAdd: number): ReplicaSet[] {
  const byAge = oldestFirst(replicaSets);
  const ties = toAdd > 0 ? byAge.toReversed() : byAge;
  return ties.toSorted((left, right) => replicasOf(right) - replicasOf(left));
}

function shareOf(
  replicaSet: ReplicaSet,
  deployment: Deployment,
  { toAdd, added }: { toAdd: number; added: number },
): number {
  if (toAdd === 0 || toAdd === added) return 0;
  const exact = fractionOf(replicaSet, deployment);
  return toAdd > 0 ? Math.min(exact, toAdd - added) : Math.max(exact, toAdd - added);
}

function fractionOf(replicaSet: ReplicaSet, deployment: Deployment): number {
  const size = replicasOf(replicaSet);
  const wanted = replicasOf(deployment);
  if (wanted === 0) return -size;
  const before = annotatedNumber(replicaSet, MAX_REPLICAS) || deployment.status?.replicas;
  return before ? Math.round((size * (wanted + maxSurge(deployment))) / before) - size : 0;
}
