// Quantities in the form that the server writes them back in: the largest unit of their own family that keeps them
// whole, or the text as it was when it is canonical already.
const BINARY = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const DECIMAL = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const PATTERN = /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][+-]?\d+)?$/;

/** Undefined when it is no quantity. */
export function canonicalQuantity(text: string): string | undefined {
  const match = PATTERN.exec(text);
  const [, sign = "", whole = "", fraction = "", suffix = ""] = match ?? [];
  if (whole === "" && fraction === "") return undefined;
  const digits = BigInt(`${whole}${fraction}`);
  const negative = sign === "-" && digits !== 0n ? "-" : "";
  return negative + canonicalMagnitude(digits, fraction.length, suffix);
}

function canonicalMagnitude(digits: bigint, decimals: number, suffix: string): string {
  if (suffix.endsWith("i")) return canonicalBinary(digits, decimals, BINARY.indexOf(suffix));
  const isExponential = /^[eE][+-]?\d/.test(suffix);
  const exponent = isExponential ? Number(suffix.slice(1)) : 3 * (DECIMAL.indexOf(suffix) - 3);
  return canonicalDecimal(digits, exponent - decimals, isExponential);
}

function canonicalBinary(digits: bigint, decimals: number, power: number): string {
  const scale = 10n ** BigInt(decimals);
  const total = digits * 1024n ** BigInt(power);
  // A binary quantity that is no whole number of units is written in decimal thousandths.
  if (total % scale !== 0n) return canonicalDecimal((total * 1_000n + scale - 1n) / scale, -3, false);
  let value = total / scale;
  if (value === 0n) return "0";
  let unit = 0;
  while (value % 1024n === 0n && unit < BINARY.length - 1) {
    value /= 1024n;
    unit++;
  }
  return `${value}${BINARY[unit]}`;
}

function canonicalDecimal(digits: bigint, exponent: number, isExponential: boolean): string {
  let value = digits;
  let power = exponent;
  if (value === 0n) return "0";
  // Nothing is finer than a nano; what is gets rounded up.
  for (; power < -9; power++) value = (value + 9n) / 10n;
  while (power % 3 !== 0) {
    value *= 10n;
    power--;
  }
  while (value % 1_000n === 0n && power < 18) {
    value /= 1_000n;
    power += 3;
  }
  for (; power > 18; power -= 3) value *= 1_000n;
  if (isExponential) return power === 0 ? `${value}` : `${value}e${power}`;
  return `${value}${DECIMAL[power / 3 + 3]}`;
}
