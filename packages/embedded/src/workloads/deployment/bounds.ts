// How far a rolling update may go above and below the wanted number of pods.
import type { Deployment } from "@chaski/kube";

export function replicasOf({ spec }: { readonly spec: { readonly replicas?: number } }): number {
  return spec.replicas ?? 0;
}

export function isRolling({ spec }: Deployment): boolean {
  return spec.strategy?.type === "RollingUpdate";
}

export function maxSurge(deployment: Deployment): number {
  return isRolling(deployment) ? fenceposts(deployment).surge : 0;
}

function maxUnavailable(deployment: Deployment): number {
  const replicas = replicasOf(deployment);
  if (!isRolling(deployment) || replicas === 0) return 0;
  return Math.min(fenceposts(deployment).unavailable, replicas);
}

export function minAvailable(deployment: Deployment): number {
  return replicasOf(deployment) - maxUnavailable(deployment);
}

/** Percentages of surge are rounded up, those of unavailability down; when both come to nothing one may be missing. */
function fenceposts(deployment: Deployment): { surge: number; unavailable: number } {
  const { maxSurge = 0, maxUnavailable = 0 } = deployment.spec.strategy?.rollingUpdate ?? {};
  const replicas = replicasOf(deployment);
  const surge = countOf(maxSurge, replicas, Math.ceil);
  const unavailable = countOf(maxUnavailable, replicas, Math.floor);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

function countOf(value: number | string, total: number, round: (exact: number) => number): number {
  return typeof value === "number" ? value : round((Number.parseInt(value, 10) * total) / 100);
}
