/** One line of a benchmark's table, and one object of its JSON. */
export interface Line {
  readonly what: string;
  readonly unit: string;
  readonly ours: number;
  readonly anchor: number | null;
  readonly ratio: number | null;
  readonly goal: string | null;
  readonly met: boolean | null;
}

export interface Compared {
  readonly what: string;
  readonly unit: string;
  readonly ours: number;
  readonly anchor: number;
}

/** Less is better: at most so many times the anchor. */
export function atMost(times: number, compared: Compared): Line {
  const met = compared.ours <= times * compared.anchor;
  return line({ ...compared, ratio: ratioOf(compared), goal: `≤ ${times}×`, met });
}

/** More is better: at least so many times the anchor. */
export function atLeast(times: number, compared: Compared): Line {
  const met = compared.ours >= times * compared.anchor;
  return line({ ...compared, ratio: ratioOf(compared), goal: `≥ ${times}×`, met });
}

/** For the record, without a goal. */
export function shown(compared: Compared): Line {
  return line({ ...compared, ratio: ratioOf(compared), goal: null, met: null });
}

/** For the record, with nothing to hold it against. */
export function alone({ what, unit, ours }: Omit<Compared, "anchor">): Line {
  return line({ what, unit, ours, anchor: null, ratio: null, goal: null, met: null });
}

/** Without an anchor. */
export function below(limit: number, { what, unit, ours }: Omit<Compared, "anchor">): Line {
  return line({ what, unit, ours, anchor: null, ratio: null, goal: `< ${limit} ${unit}`, met: ours < limit });
}

/** Nothing is no multiple of nothing. */
function ratioOf({ ours, anchor }: Compared): number | null {
  return anchor === 0 ? null : ours / anchor;
}

function line(exact: Line): Line {
  const { ours, anchor, ratio } = exact;
  return { ...exact, ours: rounded(ours), anchor: anchor && rounded(anchor), ratio: ratio && rounded(ratio) };
}

/** Three digits are all that a measurement like these is good for. */
function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
