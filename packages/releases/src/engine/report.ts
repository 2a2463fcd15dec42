// The status that a pass leaves behind.
import type { IncarnationStatus, ReleaseManagerStatus } from "@chaski/api";
import { type Condition, type ConditionClaim, defined, formatTimestamp, setCondition } from "@chaski/kube";
import { firstClosed, type Gate, type Stall } from "@chaski/runtime/decision";
import { factorFor, type Fleet, type FleetCluster } from "./fleet.ts";
import { standingsOf } from "./cluster-standing.ts";
import { type Incarnation, percentOf } from "./incarnation.ts";
import { isSame } from "./same.ts";
import type { ReleaseWorld } from "./world.ts";

export interface Report {
  readonly revisions: readonly IncarnationStatus[];
  readonly rollback: ReleaseManagerStatus["rollback"];
  readonly orphanedSince: string | undefined;
  readonly claims: readonly ConditionClaim[];
}

/** `lastUpdated` moves only with something else: an idle pass writes nothing. */
export function statusOf(world: ReleaseWorld, report: Report): ReleaseManagerStatus {
  const { releaseManager, nowMs } = world;
  const now = formatTimestamp(nowMs);
  const { conditions: before, gates: _gates, lastUpdated = null, ...rest } = releaseManager.status ?? {};
  const conditions = report.claims.reduce<readonly Condition[]>(
    (list, claim) => setCondition(list, claim, now),
    before ?? [],
  );
  const status = defined({
    revisions: [...report.revisions],
    clusters: standingsOf(world),
    rollback: report.rollback,
    orphanedSince: report.orphanedSince,
    observedGeneration: releaseManager.metadata.generation,
    conditions: [...conditions],
  });
  const isUnchanged = isSame(status, { ...rest, conditions: before ?? [] });
  return { ...status, lastUpdated: isUnchanged ? lastUpdated : now };
}

/** Oldest first; what is deleted and has no Revision is forgotten. */
export function entriesOf(incarnations: readonly Incarnation[]): readonly IncarnationStatus[] {
  return incarnations
    .filter(({ state, settings }) => state !== "deleted" || settings !== undefined)
    .map(({ status }) => status)
    .toReversed();
}

/** What is claimed of traffic, and where it has to be seen. */
export interface Arrival {
  readonly incarnations: readonly Incarnation[];
  readonly fleet: Fleet;
  /** Without any, there is nothing to be seen. */
  readonly hasRoutes: boolean;
}

export function releasedClaim(arrival: Arrival, gates: readonly Gate[]): ConditionClaim {
  const newest = arrival.incarnations.find(({ settings, status }) => settings && status.releaseEligible);
  if (newest && isReleasedEverywhere(newest, arrival)) {
    const message = `${newest.tag} is released on every live cluster`;
    return { type: "Released", status: "True", reason: "Released", message };
  }
  const closed = firstClosed(gates);
  const waiting = newest ? `${newest.tag} is ${newest.state}` : "no revision is eligible";
  return {
    type: "Released",
    status: "False",
    reason: closed?.name ?? "Progressing",
    message: closed?.message ?? waiting,
  };
}

/** As observed: what was decided and has not arrived does not count. */
function isReleasedEverywhere(incarnation: Incarnation, arrival: Arrival): boolean {
  const isReleased = incarnation.state === "released" && percentOf(incarnation) > 0;
  return isReleased && arrival.fleet.live.every((cluster) => hasArrivedOn(cluster, incarnation, arrival));
}

function hasArrivedOn(cluster: FleetCluster, incarnation: Incarnation, { hasRoutes }: Arrival): boolean {
  const { isKnown, world } = cluster;
  if (!isKnown) return false;
  if (world.route) return (world.route.weights[incarnation.tag] ?? 0) === percentOf(incarnation);
  return !hasRoutes || percentOf(incarnation) === 0 || factorFor(cluster, incarnation.revision) === 0;
}

/** Whether every live cluster routes as was decided: what Revisions of this release go by. */
export function splitClaim(arrival: Arrival): ConditionClaim {
  const { incarnations, fleet } = arrival;
  const isLate = (cluster: FleetCluster): boolean =>
    !incarnations.every((incarnation) => hasArrivedOn(cluster, incarnation, arrival));
  const late = fleet.live.filter(isLate);
  const names = late.map(({ name }) => name).join(", ");
  return late.length === 0
    ? { type: "SplitObserved", status: "True", reason: "Observed", message: "every live cluster routes as decided" }
    : { type: "SplitObserved", status: "False", reason: "Waiting", message: `not yet as decided: ${names}` };
}

export function stalledClaim(stall: Stall | undefined): ConditionClaim {
  return stall
    ? { type: "Stalled", status: "True", reason: stall.reason, message: stall.message }
    : { type: "Stalled", status: "False", reason: "NotStalled", message: "nothing prevents the release from going on" };
}
