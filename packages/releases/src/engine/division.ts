// How 100 percent of the traffic divide over the revisions in this pass (§6.4, §6.10).
import { deployedSet, releasable } from "./collections.ts";
import { type Incarnation, percentOf } from "./incarnation.ts";
import { sum } from "./numbers.ts";
import { type Rollback, takeoverLimit } from "./rollback.ts";
import { nextIncrement } from "./strategy.ts";
import { isCanarying, isLeaving, isReleasing } from "./states.ts";

export interface Division {
  readonly incarnations: readonly Incarnation[];
  /** The one that may grow (§6.3). */
  readonly rampingTag: string | undefined;
  readonly rollback: Rollback | undefined;
  /** Whether a promotion of this one is held where it is (rule 3). */
  readonly isHeld: (incarnation: Incarnation) => boolean;
  /** Whether the delay since its last change is over. */
  readonly isDelayOver: (incarnation: Incarnation) => boolean;
  readonly canRampTo: (incarnation: Incarnation, percent: number) => boolean;
  /** The largest percent that the taker's pods carry, up to the limit. */
  readonly takeover: (taker: Incarnation, limit: number) => number;
}

export interface Share {
  readonly incarnation: Incarnation;
  readonly percent: number;
  /** Behind the ramping one and out of traffic: it retires. */
  readonly isOutrun: boolean;
}

/** A percent for each; they sum to 100, or to what they were where nobody may have the rest. */
export function divideTraffic(division: Division): readonly Share[] {
  const seats = deployedSet(division.incarnations).length > 0 ? releasable(division.incarnations) : [];
  const first = firstSeat(seats, division);
  let left = 100;
  const shares = seats.map((incarnation, index): Share => {
    const isBehind = first !== undefined && index > first;
    const percent = Math.min(shareOf(incarnation, { left, isBehind, division }), left);
    left -= percent;
    return { incarnation, percent, isOutrun: percent === 0 && isBehind };
  });
  const heir = left > 0 ? heirIndex(shares, first, division) : undefined;
  if (left > 0 && heir === undefined) return division.incarnations.map(undisturbed);
  const seated = shares.map((share, at) =>
    at === heir ? { ...share, percent: share.percent + left, isOutrun: false } : share,
  );
  const standing = division.incarnations.filter((incarnation) => !seats.includes(incarnation));
  return [...seated, ...standing.map((incarnation) => ({ incarnation, percent: 0, isOutrun: false }))];
}

function undisturbed(incarnation: Incarnation): Share {
  return { incarnation, percent: percentOf(incarnation), isOutrun: false };
}

/** In a roll-back nobody grows but the taker. */
function firstSeat(seats: readonly Incarnation[], { rampingTag, rollback }: Division): number | undefined {
  const tag = rollback?.taker?.tag ?? rampingTag;
  const index = seats.findIndex((incarnation) => incarnation.tag === tag);
  return index < 0 ? undefined : index;
}

interface Seat {
  readonly left: number;
  readonly isBehind: boolean;
  readonly division: Division;
}

function shareOf(incarnation: Incarnation, seat: Seat): number {
  const { settings, state, tag } = incarnation;
  const { left, division } = seat;
  const { rollback } = division;
  if (rollback?.taker?.tag === tag) return division.takeover(incarnation, takeoverLimit(rollback, left));
  if (!settings)
    return isLeaving(state) && !mustKeep(incarnation, division) ? 0 : Math.min(percentOf(incarnation), left);
  if (!mayGrow(incarnation, seat)) return Math.min(percentOf(incarnation), left);
  return scaleDecision(incarnation, isCanarying(state) ? Math.min(left, settings.canary.percent) : left, division);
}

function mayGrow({ state }: Incarnation, { isBehind, division }: Seat): boolean {
  return division.rollback === undefined && !isBehind && state !== undefined && !isLeaving(state);
}

/** What has lost its Revision gives its traffic away at once, unless the one that would get it is held. */
function mustKeep({ tag }: Incarnation, { incarnations, rampingTag, rollback, isHeld }: Division): boolean {
  const heir = incarnations.find((candidate) => candidate.tag === rampingTag);
  return rollback !== undefined || (heir !== undefined && heir.tag !== tag && isPromotion(heir) && isHeld(heir));
}

/** §6.2: down at once; up after the delay, with the pods for it, and if nothing holds it. */
function scaleDecision(incarnation: Incarnation, limit: number, { isHeld, isDelayOver, canRampTo }: Division): number {
  const current = percentOf(incarnation);
  const release = incarnation.settings?.release;
  if (!release) return Math.min(current, limit);
  const desired = nextIncrement(release, current, limit);
  if (desired <= current) return desired;
  if (isPromotion(incarnation) && isHeld(incarnation)) return current;
  return isDelayOver(incarnation) && canRampTo(incarnation, desired) ? desired : current;
}

/** What is released already and gets traffic back is not being promoted. */
function isPromotion({ state }: Incarnation): boolean {
  return state === "releasing" || isCanarying(state);
}

/** Traffic must go somewhere: to the first, else to one that may have it; else (undefined) everything stays. */
function heirIndex(shares: readonly Share[], first: number | undefined, division: Division): number | undefined {
  const order = [first ?? 0, ...shares.keys()];
  const wanted = order.find((at, rank) => {
    const share = shares[at];
    return share !== undefined && mayInherit(share, division) && (rank === 0 || isReleasing(share.incarnation.state));
  });
  if (wanted !== undefined) return wanted;
  const before = sum(division.incarnations.map(percentOf));
  return before === 100 || before === 0 || shares.length === 0 ? undefined : order[0];
}

function mayInherit({ incarnation }: Share, { rollback, isHeld }: Division): boolean {
  if (rollback) return incarnation.tag !== rollback.taker?.tag || incarnation.pods.current > 0;
  return !isLeaving(incarnation.state) && !(isPromotion(incarnation) && isHeld(incarnation));
}
