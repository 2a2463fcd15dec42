/** What was probably meant: the nearest of these, if it is near. */
function nearest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= Math.max(1, Math.floor(word.length / 3)) ? best.candidate : undefined;
}

/** ` Did you mean shop?`, or nothing. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const meant = nearest(word, candidates);
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}

/** How many letters have to be typed, left out, changed or swapped. */
function distance(a: string, b: string): number {
  let [beforeLast, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) row.push(step(a, b, { i, j, row, last, beforeLast }));
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

interface Cell {
  readonly i: number;
  readonly j: number;
  readonly row: readonly number[];
  readonly last: readonly number[];
  readonly beforeLast: readonly number[];
}

function step(a: string, b: string, { i, j, row, last, beforeLast }: Cell): number {
  const change = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
  const plain = Math.min((row[j - 1] ?? 0) + 1, (last[j] ?? 0) + 1, change);
  const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
  return isSwap ? Math.min(plain, (beforeLast[j - 2] ?? 0) + 1) : plain;
}
