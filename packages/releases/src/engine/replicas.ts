// How pods of the fleet divide over its clusters (§6.5). The order of operations is part of the result: doubles.
import { sum } from "./numbers.ts";

/** Pods per cluster, before the cluster's own factor. */
export function divide(count: number, percent: number, liveClusters: number): number {
  return Math.max(1, Math.ceil((Math.min(100, percent) / 100) * (count / Math.max(liveClusters, 1))));
}

/** Pods of the fleet, after every cluster's factor: none where there is no cluster. */
export function expectedTotal(count: number, percent: number, factors: readonly number[]): number {
  const all = Math.ceil((Math.min(100, percent) / 100) * count);
  return totalOf(Math.ceil(all / factors.length), factors);
}

function totalOf(perCluster: number, factors: readonly number[]): number {
  return sum(factors.map((factor) => Math.ceil(perCluster * factor)));
}

/** The smallest number per cluster, at least 1, with which the fleet has so many pods (D-44). */
export function perClusterFor(pods: number, factors: readonly number[]): number {
  const largest = Math.max(0, ...factors);
  if (largest === 0) return 1;
  let low = 1;
  let high = Math.max(1, Math.ceil(pods / largest));
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (totalOf(middle, factors) >= pods) high = middle;
    else low = middle + 1;
  }
  return low;
}
