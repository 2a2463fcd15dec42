// The rule that keeps `total` pods available while they move from one Deployment to the other (spec §8). Forward,
// retreat and rollback are the same rule with another target.
import { isEmpty, type Pair } from "./side.ts";

export interface PairScale {
  readonly older: number;
  readonly newer: number;
}

/**
 * The older side gives up a pod only for one that is available on the newer side, and the other way round. A side
 * whose numbers do not speak of its present spec yet is believed by nobody: the other one gives up nothing for it.
 */
export function pairScale(total: number, target: number, { older, newer }: Pair): PairScale {
  const newerCarries = Math.min(newer.available, target);
  const newerMayKeep = Math.min(newer.replicas, total - Math.min(older.available, total));
  return {
    older: newer.isObserved ? total - newerCarries : Math.max(older.replicas, total - newerCarries),
    newer: Math.max(target, older.isObserved ? newerMayKeep : newer.replicas),
  };
}

/**
 * Whether the newer side has reached its target and the older one has given way. Where nothing is to be left of it, its
 * pods have to be gone, too: only then does the newer side serve alone.
 */
export function hasReached(total: number, target: number, { older, newer }: Pair): boolean {
  const newerIsThere =
    newer.isObserved && newer.replicas === target && newer.available >= target && newer.updated >= target;
  const olderGaveWay = target === total ? isEmpty(older) : older.replicas === total - target;
  return newerIsThere && (older.deployment === undefined || olderGaveWay);
}
