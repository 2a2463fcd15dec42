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

interface Compared {
  readonly what: string;
  readonly unit: string;
  readonly ours: number;
  readonly anchor: number;
}

/** Less is better: at most so many times the anchor. */
export function atMost(times: number, compared: Compared): Line {
  const ratio = compared.ours / compared.anchor;
  return line({ ...compared, ratio, goal: `≤ ${times}×`, met: ratio <= times });
}

/** More is better: at least so many times the anchor. */
export function atLeast(times: number, compared: Compared): Line {
  const ratio = compared.ours / compared.anchor;
  return line({ ...compared, ratio, goal: `≥ ${times}×`, met: ratio >= times });
}

/** For the record, without a goal. */
export function shown(compared: Compared): Line {
  return line({ ...compared, ratio: compared.ours / compared.anchor, goal: null, met: null });
}

/** Without an anchor. */
export function below(limit: number, { what, unit, ours }: Omit<Compared, "anchor">): Line {
  return line({ what, unit, ours, anchor: null, ratio: null, goal: `< ${limit} ${unit}`, met: ours < limit });
}

function line(exact: Line): Line {
  const { ours, anchor, ratio } = exact;
  return { ...exact, ours: rounded(ours), anchor: anchor && rounded(anchor), ratio: ratio && rounded(ratio) };
}

/** Three digits are all that a measurement like these is good for. */
function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
