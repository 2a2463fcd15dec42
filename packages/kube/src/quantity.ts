// Resource quantities (`100m`, `1.5Gi`, `1e3`) by value, exactly, and printed as Kubernetes prints them.
import { bad, good, type Result } from "./result.ts";

export interface Quantity {
  /** Kubernetes keeps nothing smaller: what is finer is rounded away from zero. */
  readonly nanos: bigint;
  /** The family of suffixes that it was written with, and is printed with where that loses nothing. */
  readonly format: "DecimalSI" | "BinarySI" | "DecimalExponent";
}

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: Quantity["format"];
}

interface Written {
  readonly sign: string;
  /** Without leading zeros; "0" where nothing is left. */
  readonly whole: string;
  readonly fraction: string;
  readonly hasDigits: boolean;
  readonly suffix: Suffix;
}

const decimalSuffixes: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  "": 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binarySuffixes: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const decimalSuffixByExponent = new Map(Object.entries(decimalSuffixes).map(([text, exponent]) => [exponent, text]));
const binarySuffixByExponent = new Map(Object.entries(binarySuffixes).map(([text, exponent]) => [exponent, text]));

const pattern = /^(?<sign>[+-]?)(?<whole>\d*)(?:\.(?<fraction>\d*))?(?<suffix>[eEinumkKMGTP]*[-+]?\d*)$/;
/** Far beyond any resource; a longer number would only cost time. */
const lengthMax = 300;
const exponentMax = 1000;
const nanoExponent = 9;
const oneInNanos = 10n ** 9n;
const milliInNanos = 10n ** 6n;
const binaryMaxInNanos = (2n ** 63n - 1n) * oneInNanos;

const problems = {
  format: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  number: "unable to parse numeric part of quantity",
  suffix: "unable to parse quantity's suffix",
} as const;

/** A number is read as the text that JSON has for it. */
export function parseQuantity(text: string | number): Result<Quantity> {
  const written = read(String(text));
  if (!written.ok) return written;
  const { sign, suffix } = written.value;
  const magnitude = suffix.base === 2 ? binaryMagnitude(written.value) : decimalMagnitude(written.value);
  const isBelowOne = magnitude > 0n && magnitude < oneInNanos;
  const format = suffix.format === "BinarySI" && isBelowOne ? "DecimalSI" : suffix.format;
  return good({ nanos: sign === "-" ? -magnitude : magnitude, format });
}

export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  if (a.nanos === b.nanos) return 0;
  return a.nanos < b.nanos ? -1 : 1;
}

/** Away from zero, as an API server does with amounts of resources: nobody gets less than was asked for. */
export function roundUpToMilli({ nanos, format }: Quantity): Quantity {
  const magnitude = dividedUp(nanos < 0n ? -nanos : nanos, milliInNanos) * milliInNanos;
  return { nanos: nanos < 0n ? -magnitude : magnitude, format };
}

/** The canonical form: no fraction, the largest suffix that allows it. */
export function formatQuantity({ nanos, format }: Quantity): string {
  if (nanos === 0n) return "0";
  const magnitude = nanos < 0n ? -nanos : nanos;
  const isBinary = format === "BinarySI" && magnitude >= 1024n * oneInNanos && magnitude % oneInNanos === 0n;
  const text = isBinary ? formatBinary(magnitude / oneInNanos) : formatDecimal(magnitude, format);
  return nanos < 0n ? `-${text}` : text;
}

/** What an API server answers when it was given this text: mostly the canonical form, but see isKept. */
export function normalizeQuantity(text: string | number): Result<string> {
  const written = read(String(text));
  const parsed = parseQuantity(text);
  if (!written.ok || !parsed.ok) return bad(parsed.ok ? problems.format : parsed.problem);
  return good(isKept(written.value) ? String(text) : formatQuantity(parsed.value));
}

function read(text: string): Result<Written> {
  const groups = text.length > lengthMax || text === "" ? undefined : pattern.exec(text)?.groups;
  if (groups === undefined) return bad(problems.format);
  const suffix = readSuffix(groups["suffix"] ?? "");
  if (suffix === undefined) return bad(problems.suffix);
  const written = withSuffix(groups, suffix);
  const isReadable = suffix.exponent <= exponentMax && (written.hasDigits || isShort(written));
  return isReadable ? good(written) : bad(problems.number);
}

function withSuffix(
  { sign = "", whole = "", fraction = "" }: Record<string, string | undefined>,
  suffix: Suffix,
): Written {
  const hasDigits = whole !== "" || fraction !== "";
  return { sign, whole: whole.replace(/^0+/, "") || "0", fraction, hasDigits, suffix };
}

function readSuffix(text: string): Suffix | undefined {
  const decimal = decimalSuffixes[text];
  if (decimal !== undefined) return { base: 10, exponent: decimal, format: "DecimalSI" };
  const binary = binarySuffixes[text];
  if (binary !== undefined) return { base: 2, exponent: binary, format: "BinarySI" };
  if (!/^[eE][-+]?\d+$/.test(text)) return undefined;
  return { base: 10, exponent: Number(text.slice(1)), format: "DecimalExponent" };
}

/** Kubernetes reads short numbers by another path, which also takes a suffix without digits for zero. */
function isShort({ whole, fraction, suffix }: Written): boolean {
  return suffix.base === 2
    ? fraction === "" && whole.length + Math.trunc((suffix.exponent * 3) / 10) <= 14
    : whole.length + fraction.length <= 18 && suffix.exponent - fraction.length >= -nanoExponent;
}

/** Kubernetes takes some texts for canonical that are not (`1.500`, `+1`, `1E3`), and gives them back as they came. */
function isKept(written: Written): boolean {
  if (!isShort(written)) return false;
  const { whole, fraction, suffix } = written;
  if (suffix.base === 2) return BigInt(whole) % 8n !== 0n;
  const digits = whole + fraction;
  return (suffix.exponent - fraction.length) % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0");
}

function decimalMagnitude({ whole, fraction, suffix }: Written): bigint {
  const digits = whole + fraction;
  const shift = suffix.exponent - fraction.length + nanoExponent;
  if (shift >= 0) return BigInt(digits) * 10n ** BigInt(shift);
  // A divisor with more digits than the number has gives 1 n, however many more it has.
  return dividedUp(BigInt(digits), 10n ** BigInt(Math.min(-shift, digits.length + 1)));
}

function binaryMagnitude({ whole, fraction, suffix }: Written): bigint {
  const nanos = BigInt(whole + fraction) * 2n ** BigInt(suffix.exponent) * oneInNanos;
  const rounded = dividedUp(nanos, 10n ** BigInt(fraction.length));
  return rounded > binaryMaxInNanos ? binaryMaxInNanos : rounded;
}

function dividedUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

function formatBinary(value: bigint): string {
  let [digits, exponent] = [value, 0];
  while (digits % 1024n === 0n) [digits, exponent] = [digits / 1024n, exponent + 10];
  return `${digits}${binarySuffixByExponent.get(exponent) ?? ""}`;
}

function formatDecimal(nanos: bigint, format: Quantity["format"]): string {
  let [digits, exponent] = [nanos, -nanoExponent];
  while (digits % 1000n === 0n) [digits, exponent] = [digits / 1000n, exponent + 3];
  const named = format === "DecimalExponent" ? undefined : decimalSuffixByExponent.get(exponent);
  // Beyond `E` there is no suffix, and Kubernetes itself prints a wrong number. An exponent keeps the value.
  return `${digits}${named ?? (exponent === 0 ? "" : `e${exponent}`)}`;
}
