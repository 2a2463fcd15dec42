// How many pods a share of the traffic needs, measured by what serves it now (§6.6).
import type { IncarnationStatus } from "@chaski/api";
import { sum } from "./numbers.ts";
import { expectedTotal } from "./replicas.ts";
import type { ScaleSettings } from "./settings.ts";

/** So much of the needed pods suffices. */
const THRESHOLD = 0.9;

/** What the other tags carry, by the status that was last saved: one snapshot for the whole pass (D-11). */
export interface Load {
  readonly pods: number;
  readonly percent: number;
  /** One of them had all of the traffic and has lost some: its pods were enough for all of it. */
  readonly hasFallenFromFull: boolean;
}

type Entry = Pick<IncarnationStatus, "tag" | "currentPercent" | "peakPercent" | "scale">;

export function loadOfOthers(saved: readonly Entry[], tag: string): Load {
  const serving = saved.filter(
    (entry) => entry.tag !== tag && entry.currentPercent > 0 && (entry.scale?.Current ?? 0) > 0,
  );
  return {
    pods: sum(serving.map(({ scale }) => scale?.Current ?? 0)),
    percent: sum(serving.map(({ currentPercent }) => currentPercent)),
    hasFallenFromFull: serving.some(({ peakPercent, currentPercent }) => peakPercent === 100 && currentPercent < 100),
  };
}

/** Pods that all of the traffic needs; undefined without a minimum to start from. */
export function baseCapacity(scale: ScaleSettings, load: Load): number | undefined {
  if (scale.min === undefined) return undefined;
  return estimateFromOthers(scale, load) ?? scale.min;
}

/** Undefined where nothing else serves. */
export function estimateFromOthers({ min = 0, max, autoscaler }: ScaleSettings, load: Load): number | undefined {
  if (load.pods === 0 || load.percent === 0) return undefined;
  if (!load.hasFallenFromFull) return Math.ceil(load.pods / (load.percent / 100));
  if (autoscaler !== "none") return load.pods;
  return min === 0 ? max : min;
}

/** Ready pods that the fleet needs at this percent. */
export function neededPods(
  { max }: Pick<ScaleSettings, "max">,
  base: number,
  percent: number,
  factors: readonly number[],
): number {
  const need = Math.ceil(expectedTotal(base, percent, factors) * THRESHOLD);
  return max > 0 ? Math.min(need, expectedTotal(max, 100, factors)) : need;
}

export interface Capacity {
  readonly scale: ScaleSettings;
  readonly load: Load;
  readonly factors: readonly number[];
  /** Own ready pods, as observed in this pass. */
  readonly ready: number;
}

/** Undefined: can't be said, so no. */
export function neededFor({ scale, load, factors }: Omit<Capacity, "ready">, percent: number): number | undefined {
  const base = baseCapacity(scale, load);
  return base === undefined ? undefined : neededPods(scale, base, percent, factors);
}

export function canRampTo(capacity: Capacity, percent: number): boolean {
  const need = neededFor(capacity, percent);
  return need !== undefined && capacity.ready >= need;
}
