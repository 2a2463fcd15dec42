// Between the moment that no route of a cluster names a tag and taking its pods away lies the drain, because
// proxies lag behind the API (D-84). The clock is kept in status, per cluster.
import type { IncarnationStatus } from "@chaski/api";
import { formatTimestamp, timeMs } from "@chaski/kube";
import type { Fleet, FleetCluster } from "./fleet.ts";
import { type Incarnation, withStatus } from "./incarnation.ts";
import { isLeaving, isParked, type State } from "./states.ts";

export interface Drain {
  readonly nowMs: number;
  readonly drainMs: number;
  /** Without ports there is no route, and nothing drains. */
  readonly hasRoutes: boolean;
}

function isNamed({ world, isKnown }: FleetCluster, tag: string): boolean {
  if (!isKnown) return true;
  return world.route !== undefined && (world.route.named.includes(tag) || (world.route.weights[tag] ?? 0) > 0);
}

/** Starts the clock where the tag is not named any more, and stops it where it is named again. */
export function trackDrain(incarnation: Incarnation, fleet: Fleet, { nowMs, hasRoutes }: Drain): Incarnation {
  const { unrouted: before = [], ...status } = incarnation.status;
  if (!hasRoutes || !mayLosePods(incarnation)) return { ...incarnation, status };
  const now = formatTimestamp(Math.ceil(nowMs / 1000) * 1000);
  const unrouted = fleet.clusters
    .filter((cluster) => !isNamed(cluster, incarnation.tag))
    .map(({ name }) => ({ cluster: name, since: before.find(({ cluster }) => cluster === name)?.since ?? now }));
  return withStatus({ ...incarnation, status }, unrouted.length > 0 ? { unrouted } : {});
}

const LEFT: ReadonlySet<State | undefined> = new Set(["failed", "retired", "deleted"]);

function mayLosePods({ state }: Incarnation): boolean {
  return isLeaving(state) || isParked(state) || LEFT.has(state);
}

/** When the drain of this tag on this cluster is over; undefined while a route names it. */
export function drainedAtMs(status: IncarnationStatus, cluster: FleetCluster, drain: Drain): number | undefined {
  if (!drain.hasRoutes) return drain.nowMs;
  const since = timeMs(status.unrouted?.find((entry) => entry.cluster === cluster.name)?.since);
  return since === undefined || isNamed(cluster, status.tag) ? undefined : since + drain.drainMs;
}

export function isDrainedOn({ status }: Incarnation, cluster: FleetCluster, drain: Drain): boolean {
  const at = drainedAtMs(status, cluster, drain);
  return at !== undefined && at <= drain.nowMs;
}

/** A cluster that can't be reached is dealt with when it returns. */
export function isDrainedEverywhere(incarnation: Incarnation, fleet: Fleet, drain: Drain): boolean {
  return fleet.clusters
    .filter(({ isReachable }) => isReachable)
    .every((cluster) => isDrainedOn(incarnation, cluster, drain));
}
