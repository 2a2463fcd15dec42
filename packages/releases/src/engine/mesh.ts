// How the namespace takes part in the mesh, and whether it needs a waypoint (§7.8–7.9).
import type { Incarnation } from "./incarnation.ts";
import { PODS, whole } from "./numbers.ts";
import type { MeshPlan } from "../plan/plan.ts";

export function meshOf(incarnations: readonly Incarnation[]): MeshPlan {
  const mode = modeOf(incarnations);
  return mode === "sidecar" ? { mode } : { mode, waypoint: waypointOf(incarnations) };
}

function modeOf(incarnations: readonly Incarnation[]): MeshPlan["mode"] {
  const running = incarnations.filter(({ settings, pods }) => settings && pods.desired > 0);
  const hasAmbient = running.some(({ settings }) => settings?.isAmbient);
  const hasSidecars = running.some(({ settings }) => !settings?.isAmbient);
  const isNewestAmbient = incarnations[0]?.settings?.isAmbient === true;
  if (hasAmbient && (hasSidecars || !isNewestAmbient)) return "transition";
  if (hasAmbient) return "ambient";
  return !hasSidecars && isNewestAmbient ? "ambient" : "sidecar";
}

const WAYPOINT_MIN = 2;
const WAYPOINT_MAX = 20;
const WAYPOINT_CPU_PERCENT = 70;

/** A waypoint asked for with fewer than two replicas is none that anybody meant. A maximum below it is raised (D-53). */
function waypointOf(incarnations: readonly Incarnation[]): NonNullable<MeshPlan["waypoint"]> {
  const { waypointHPA: given = {}, waypointResources: resources } = incarnations[0]?.settings?.target ?? {};
  const isAsked = whole(given.minReplicas, PODS, 0) >= WAYPOINT_MIN;
  const asked = (value: unknown, fallback: number): number => (isAsked && whole(value, PODS, 0)) || fallback;
  const minReplicas = asked(given.minReplicas, WAYPOINT_MIN);
  return {
    minReplicas,
    maxReplicas: Math.max(minReplicas, asked(given.maxReplicas, WAYPOINT_MAX)),
    targetCpuPercent: asked(given.targetCPUUtilizationPercentage, WAYPOINT_CPU_PERCENT),
    ...(resources ? { resources } : {}),
  };
}
