// Go's duration strings (`1h30m`, `1.5s`, `300ms`), which Kubernetes objects and flags are written in.
import { bad, good, type Result } from "./result.ts";

const nanosPerUnit: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};
const partPattern = /(?<whole>\d*)(?:\.(?<fraction>\d*))?(?<unit>[^\d.]*)/y;
const nanosMax = 2n ** 63n - 1n;
const nanosPerMs = 1_000_000n;
const lengthMax = 300;

/** Milliseconds; a part of one where the text has it. */
export function parseDuration(text: string): Result<number> {
  const nanos = parseDurationNanos(text);
  return nanos.ok ? good(toMs(nanos.value)) : nanos;
}

/** To the last nanosecond. */
export function parseDurationNanos(text: string): Result<bigint> {
  const sign = /^[+-]?/.exec(text)?.[0] ?? "";
  const unsigned = text.slice(sign.length);
  if (unsigned === "0") return good(0n);
  if (unsigned === "" || text.length > lengthMax) return bad(`invalid duration ${JSON.stringify(text)}`);
  const nanos = sumOfParts(unsigned, text);
  if (!nanos.ok) return nanos;
  const isTooLong = sign === "-" ? nanos.value > nanosMax + 1n : nanos.value > nanosMax;
  if (isTooLong) return bad(`invalid duration ${JSON.stringify(text)}`);
  return good(sign === "-" ? -nanos.value : nanos.value);
}

/** As Go prints it: `2h0m0s`, `1.5s`, `300ms`, `0s`. */
export function formatDuration(ms: number): string {
  const signed = toNanos(ms);
  const nanos = signed < 0n ? -signed : signed;
  const text = nanos < 1000n * nanosPerMs ? formatBelowSecond(nanos) : formatFromSecond(nanos);
  return signed < 0n ? `-${text}` : text;
}

function sumOfParts(unsigned: string, text: string): Result<bigint> {
  let nanos = 0n;
  for (let at = 0; at < unsigned.length; at = partPattern.lastIndex) {
    partPattern.lastIndex = at;
    const part = partNanos(partPattern.exec(unsigned)?.groups ?? {});
    if (!part.ok) return bad(`${part.problem} ${JSON.stringify(text)}`);
    nanos += part.value;
  }
  return good(nanos);
}

function partNanos({ whole = "", fraction = "", unit = "" }: Record<string, string | undefined>): Result<bigint> {
  if (whole === "" && fraction === "") return bad("invalid duration");
  if (unit === "") return bad("missing unit in duration");
  const unitNanos = nanosPerUnit[unit];
  if (unitNanos === undefined) return bad(`unknown unit ${JSON.stringify(unit)} in duration`);
  return good(BigInt(whole) * BigInt(unitNanos) + fractionNanos(fraction, unitNanos));
}

/** Cut to nanoseconds by the same floating-point steps as Go, so that the last digit is the same too. */
function fractionNanos(fraction: string, unitNanos: number): bigint {
  const hasRoomForOneMore = BigInt(fraction.slice(0, 18)) <= nanosMax / 10n;
  const digits = fraction.slice(0, hasRoomForOneMore ? 19 : 18);
  return digits === "" ? 0n : BigInt(Math.trunc(Number(digits) * (unitNanos / 10 ** digits.length)));
}

function toMs(nanos: bigint): number {
  return Number(nanos / nanosPerMs) + Number(nanos % nanosPerMs) / Number(nanosPerMs);
}

function toNanos(ms: number): bigint {
  const whole = Math.trunc(ms);
  return BigInt(whole) * nanosPerMs + BigInt(Math.round((ms - whole) * Number(nanosPerMs)));
}

function formatBelowSecond(nanos: bigint): string {
  if (nanos === 0n) return "0s";
  if (nanos < 1000n) return `${nanos}ns`;
  return nanos < nanosPerMs ? `${decimal(nanos, 3)}µs` : `${decimal(nanos, 6)}ms`;
}

function formatFromSecond(nanos: bigint): string {
  const minuteNanos = BigInt(60e9);
  const minutes = nanos / minuteNanos;
  const seconds = `${decimal(nanos % minuteNanos, 9)}s`;
  if (minutes === 0n) return seconds;
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** The number with its last digits behind a point, without zeros at the end. */
function decimal(digits: bigint, fractionDigits: number): string {
  const unit = 10n ** BigInt(fractionDigits);
  const fraction = (digits % unit).toString().padStart(fractionDigits, "0").replace(/0+$/, "");
  return fraction === "" ? `${digits / unit}` : `${digits / unit}.${fraction}`;
}
