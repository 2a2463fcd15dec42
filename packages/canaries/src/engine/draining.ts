// Going back: the older Deployment carries all pods again, and the newer one goes. Rollback, an image that returns to
// the old one, and the deletion of a Canary in mid-release are all this.
import type { Canary } from "@chaski/api";
import { type Entry, keep, remove, scale } from "@chaski/runtime/decision";
import { deploymentRef } from "../objects/deployment.ts";
import { pairScale } from "./pair-scale.ts";
import { isEmpty, type Side } from "./side.ts";

export interface Draining {
  readonly restoredName: string;
  readonly restored: Side;
  readonly drainedName: string;
  readonly drained: Side;
  readonly total: number;
}

export function drainEntries(canary: Canary, draining: Draining): Entry[] {
  const { restored, drained, total } = draining;
  const restoredRef = deploymentRef(canary, draining.restoredName);
  const drainedRef = deploymentRef(canary, draining.drainedName);
  const to = pairScale(total, 0, { older: restored, newer: drained });
  return [
    ...(restored.deployment ? [scale(restoredRef, to.older)] : []),
    ...drainedEntries(drained, { ref: drainedRef, replicas: to.newer, isRestored: hasAll(draining) }),
  ];
}

function drainedEntries(
  drained: Side,
  { ref, replicas, isRestored }: { ref: ReturnType<typeof deploymentRef>; replicas: number; isRestored: boolean },
): Entry[] {
  if (!drained.deployment) return [];
  if (isRestored && isEmpty(drained)) return [remove(ref, "its pods have gone back to the older Deployment")];
  return drained.replicas === replicas ? [keep(ref)] : [scale(ref, replicas)];
}

/** Whether the older Deployment serves alone again. */
export function isDrained(draining: Draining): boolean {
  return draining.drained.deployment === undefined && hasAll(draining);
}

function hasAll({ restored, total }: Draining): boolean {
  return restored.isObserved && restored.replicas === total && restored.available >= total;
}
