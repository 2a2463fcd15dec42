// Numbers out of objects that nobody may have validated: what can't be read has a meaning all the same.
import { parseDuration } from "@chaski/kube";

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

export const PERCENT: Bounds = { min: 0, max: 100 };
/** More pods than any fleet has; keeps products within what a double counts exactly. */
export const PODS: Bounds = { min: 0, max: 1_000_000 };

/** A whole number within the bounds: what lies outside is moved to the edge, what is none is the fallback. */
export function whole(value: unknown, { min, max }: Bounds, fallback: number): number {
  if (typeof value !== "number" || Number.isNaN(value)) return fallback;
  return Math.trunc(Math.min(max, Math.max(min, value)));
}

export function durationMs(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const parsed = parseDuration(value);
  return parsed.ok && parsed.value >= 0 ? parsed.value : undefined;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
