// Roll-back (§6.10): who takes over from a revision that fails, how much it can carry, and what it asks for.
import { estimateFromOthers, type Load, neededPods } from "./capacity.ts";
import { type Incarnation, percentOf } from "./incarnation.ts";
import { PODS, sum, whole } from "./numbers.ts";
import { divide, perClusterFor } from "./replicas.ts";
import { type ScaleSettings } from "./settings.ts";
import { isReleasing } from "./states.ts";

export interface Rollback {
  readonly failing: readonly Incarnation[];
  /** Undefined: nobody can take over yet. */
  readonly taker: Incarnation | undefined;
}

/** Undefined while nothing that fails has traffic. */
export function findRollback(incarnations: readonly Incarnation[]): Rollback | undefined {
  const failing = incarnations.filter((incarnation) => incarnation.state === "failing" && percentOf(incarnation) > 0);
  return failing.length === 0 ? undefined : { failing, taker: findTaker(incarnations) };
}

/** What serves already; else what has served everybody before; else the newest that was retired. */
export function findTaker(incarnations: readonly Incarnation[]): Incarnation | undefined {
  const able = incarnations.filter((incarnation) => incarnation.settings && !isFailed(incarnation));
  const isRetired = ({ state }: Incarnation): boolean => state === "retired" || state === "retiring";
  const hasServedAll = ({ state, status }: Incarnation): boolean =>
    WAITING.has(state ?? "") && status.peakPercent >= 100;
  return (
    able.find(({ state }) => isReleasing(state)) ??
    able.find(
      (incarnation) => (isRetired(incarnation) || hasServedAll(incarnation)) && incarnation.status.peakPercent > 0,
    ) ??
    able.find(isRetired)
  );
}

const WAITING: ReadonlySet<string> = new Set(["deploying", "deployed", "pendingrelease"]);

export function isFailed({ revision, settings }: Incarnation): boolean {
  return revision?.spec.failed === true || settings?.test.status === "failed";
}

/** Pods that all of the traffic needs: the smallest estimate that there is, settled when the roll-back begins. */
export function rollbackBase({ status, settings, pods }: Incarnation, load: Load): number {
  if (status.rollbackBase !== undefined) return whole(status.rollbackBase, PODS, 0);
  const scale = settings?.scale;
  if (!scale) return 0;
  const estimates = [
    estimateFromOthers(scale, load),
    estimate(pods.current, status.currentPercent),
    estimate(whole(status.scale?.Peak, PODS, 0), status.peakPercent),
  ].filter((value) => value !== undefined);
  return estimates.length > 0 ? Math.min(...estimates) : scale.min || scale.max;
}

function estimate(pods: number, percent: number): number | undefined {
  return pods > 0 && percent > 0 ? Math.ceil(pods / (percent / 100)) : undefined;
}

export interface Takeover {
  readonly scale: ScaleSettings;
  readonly base: number;
  readonly factors: readonly number[];
  readonly ready: number;
}

/** The largest percent that the ready pods carry, from what it has to what it may get. */
export function takeoverPercent({ scale, base, factors, ready }: Takeover, current: number, limit: number): number {
  if (ready === 0) return current;
  for (let percent = limit; percent > current; percent--) {
    if (neededPods(scale, base, percent, factors) <= ready) return percent;
  }
  return current;
}

/** Pods per cluster that are asked for at once, so that it can carry everything. */
export function takeoverReplicas({ scale, base, factors }: Omit<Takeover, "ready">): number {
  const need = neededPods(scale, base, 100, factors);
  return Math.min(perClusterFor(need, factors), divide(scale.max, 100, factors.length));
}

/** The taker may win what it has and what those that fail lose; what others serve stays theirs. */
export function takeoverLimit({ failing, taker }: Rollback, left: number): number {
  const own = taker ? percentOf(taker) : 0;
  return Math.min(left, own + sum(failing.map(percentOf)));
}
