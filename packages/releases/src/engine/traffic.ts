// The traffic of one pass: percents are divided, written down, and what ran out of them loses its eligibility.
import { formatTimestamp, timeMs } from "@chaski/kube";
import { canRampTo, type Capacity, loadOfOthers } from "./capacity.ts";
import { divideTraffic, type Share } from "./division.ts";
import { isPromoted } from "./facts.ts";
import { factorsFor, type Fleet } from "./fleet.ts";
import { type Holding, holdsOf } from "./hold.ts";
import { type Incarnation, percentOf, withStatus } from "./incarnation.ts";
import { sum } from "./numbers.ts";
import { type Rollback, takeoverPercent } from "./rollback.ts";
import type { IncarnationStatus } from "@chaski/api";
import type { ReleaseWorld } from "./world.ts";

export interface Traffic {
  readonly world: ReleaseWorld;
  readonly fleet: Fleet;
  readonly saved: readonly IncarnationStatus[];
  readonly holding: Holding;
  /** After the tick, newest first. */
  readonly incarnations: readonly Incarnation[];
  readonly rampingTag: string | undefined;
  readonly rollback: Rollback | undefined;
}

/** The same incarnations in the same order, with their new percents. */
export function shiftTraffic(traffic: Traffic): readonly Incarnation[] {
  const { world, fleet, incarnations, rampingTag, rollback, holding } = traffic;
  const shares = divideTraffic({
    incarnations,
    rampingTag,
    rollback,
    isHeld: (incarnation) => holdsOf(incarnation, holding).length > 0,
    isDelayOver: (incarnation) => isPromoted(world, incarnation.tag) || delayEndMs(incarnation) <= world.nowMs,
    canRampTo: (incarnation, percent) => {
      const capacity = capacityOf(incarnation, traffic);
      return capacity !== undefined && canRampTo(capacity, percent);
    },
    takeover: (taker, limit) => takeoverOf(taker, limit, fleet),
  });
  const byTag = new Map(shares.map((share) => [share.incarnation.tag, share]));
  return incarnations.map((incarnation) => {
    const share = byTag.get(incarnation.tag);
    const moved = share ? written(share, shares, formatTimestamp(world.nowMs)) : incarnation;
    return rollback ? moved : withoutBase(moved);
  });
}

export function capacityOf(
  incarnation: Incarnation,
  { fleet, saved }: Pick<Traffic, "fleet" | "saved">,
): Capacity | undefined {
  const { settings, tag, revision, pods } = incarnation;
  if (!settings) return undefined;
  return {
    scale: settings.scale,
    load: loadOfOthers(saved, tag),
    factors: factorsFor(fleet.live, revision),
    ready: pods.current,
  };
}

function takeoverOf(taker: Incarnation, limit: number, { live }: Fleet): number {
  const { settings, revision, status, pods } = taker;
  const current = Math.min(percentOf(taker), limit);
  if (!settings) return current;
  // A cluster that nobody reaches and that has none of its pods can take nothing: its share of the need is not waited for.
  const counted = live.filter(({ name, isReachable }) => isReachable || (pods.byCluster[name]?.available ?? 0) > 0);
  const factors = factorsFor(counted, revision);
  const base = Math.ceil(((status.rollbackBase ?? 0) * counted.length) / Math.max(1, live.length));
  return takeoverPercent({ scale: settings.scale, base, factors, ready: pods.current }, current, limit);
}

export function delayEndMs({ settings, status }: Incarnation): number {
  return (timeMs(status.lastUpdated) ?? 0) + (settings?.release.strategy.delayMs ?? 0);
}

function written({ incarnation, percent, isOutrun }: Share, shares: readonly Share[], now: string): Incarnation {
  const { status, tag } = incarnation;
  const rivals = sum(
    shares
      .filter((share) => share.incarnation.tag !== tag)
      .map((share) => Math.max(share.percent, percentOf(share.incarnation))),
  );
  const won = rivals > 0 ? Math.max(status.wonPercent ?? 0, percent) : (status.wonPercent ?? 0);
  return withStatus(incarnation, {
    currentPercent: percent,
    peakPercent: Math.max(status.peakPercent, percent),
    ...(won > 0 ? { wonPercent: won } : {}),
    ...(percent === status.currentPercent ? {} : { lastUpdated: now }),
    ...(isOutrun ? { releaseEligible: false } : {}),
  });
}

/** The estimate lasts as long as the roll-back. */
export function withoutBase(incarnation: Incarnation): Incarnation {
  const { rollbackBase, ...status } = incarnation.status;
  return rollbackBase === undefined ? incarnation : { ...incarnation, status };
}
