// The status that a pass leaves behind.
import type { IncarnationStatus, ReleaseManagerStatus } from "@chaski/api";
import { type ConditionClaim, defined, formatTimestamp, isEqualJson, setConditions } from "@chaski/kube";
import { firstClosed, type Gate, type Stall } from "@chaski/runtime/decision";
import type { Fleet, FleetCluster } from "./fleet.ts";
import { standingsOf } from "./cluster-standing.ts";
import { type Incarnation, percentOf } from "./incarnation.ts";
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
  const status = defined({
    revisions: [...report.revisions],
    clusters: standingsOf(world),
    rollback: report.rollback,
    orphanedSince: report.orphanedSince,
    observedGeneration: releaseManager.metadata.generation,
    conditions: setConditions(before, report.claims, now),
  });
  const isUnchanged = isEqualJson(status, { ...rest, conditions: before ?? [] });
  return { ...status, lastUpdated: isUnchanged ? lastUpdated : now };
}

/** Oldest first; what is deleted and has no Revision is forgotten. */
export function entriesOf(incarnations: readonly Incarnation[]): readonly IncarnationStatus[] {
  return incarnations
    .filter(({ state, settings }) => state !== "deleted" || settings !== undefined)
    .map(({ status }) => status)
    .toReversed();
}

export interface Routed {
  readonly fleet: Fleet;
  /** Otherwise nothing has to arrive. */
  readonly hasRoutes: boolean;
}

export function releasedClaim(
  incarnations: readonly Incarnation[],
  routed: Routed,
  gates: readonly Gate[],
): ConditionClaim {
  const newest = incarnations.find(({ settings, status }) => settings && status.releaseEligible);
  if (newest && isReleasedEverywhere(newest, routed)) {
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
function isReleasedEverywhere(incarnation: Incarnation, { fleet: { live }, hasRoutes }: Routed): boolean {
  const isReleased = incarnation.state === "released" && percentOf(incarnation) > 0;
  return isReleased && live.every((cluster) => hasArrivedOn(cluster, incarnation, hasRoutes));
}

function hasArrivedOn(
  { isKnown, world: { route } }: FleetCluster,
  incarnation: Incarnation,
  hasRoutes: boolean,
): boolean {
  if (!isKnown) return false;
  return (!route && !hasRoutes) || (route?.weights[incarnation.tag] ?? 0) === percentOf(incarnation);
}

/** Whether every live cluster routes as was decided: what Revisions of this release go by. */
export function splitClaim(
  incarnations: readonly Incarnation[],
  { fleet: { live }, hasRoutes }: Routed,
): ConditionClaim {
  const late = live.filter(
    (cluster) => !incarnations.every((incarnation) => hasArrivedOn(cluster, incarnation, hasRoutes)),
  );
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
