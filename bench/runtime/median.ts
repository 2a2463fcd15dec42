/** The middle one; of an even number the lower of the two. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[(values.length - 1) >> 1] ?? Number.NaN;
}

/** The median of one figure over several rounds. */
export function medianOf<T>(rounds: readonly T[], figure: (round: T) => number): number {
  return median(rounds.map(figure));
}
