// How long ago something was, as `kubectl get` shows it: two units at most, and only while the second one matters.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

interface Step {
  readonly below: number;
  readonly unit: number;
  readonly name: string;
  readonly smaller?: { readonly unit: number; readonly name: string };
}

const STEPS: readonly Step[] = [
  { below: 2 * MINUTE, unit: 1, name: "s" },
  { below: 10 * MINUTE, unit: MINUTE, name: "m", smaller: { unit: 1, name: "s" } },
  { below: 3 * HOUR, unit: MINUTE, name: "m" },
  { below: 8 * HOUR, unit: HOUR, name: "h", smaller: { unit: MINUTE, name: "m" } },
  { below: 2 * DAY, unit: HOUR, name: "h" },
  { below: 8 * DAY, unit: DAY, name: "d", smaller: { unit: HOUR, name: "h" } },
  { below: 2 * YEAR, unit: DAY, name: "d" },
  { below: 8 * YEAR, unit: YEAR, name: "y", smaller: { unit: DAY, name: "d" } },
  { below: Number.POSITIVE_INFINITY, unit: YEAR, name: "y" },
];

/** `time` in RFC 3339; what has no time is unknown. */
export function ageOf(time: unknown, nowMs: number): string {
  if (typeof time !== "string" || time === "") return "<unknown>";
  const seconds = Math.trunc((nowMs - Date.parse(time)) / 1_000);
  if (seconds < -1) return "<invalid>";
  return format(Math.max(0, seconds));
}

function format(seconds: number): string {
  const step = STEPS.find(({ below }) => seconds < below);
  if (!step) return "";
  const { unit, name, smaller } = step;
  const whole = `${Math.floor(seconds / unit)}${name}`;
  const rest = smaller ? Math.floor((seconds % unit) / smaller.unit) : 0;
  return rest === 0 ? whole : `${whole}${rest}${smaller?.name ?? ""}`;
}
