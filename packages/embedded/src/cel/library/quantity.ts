import type { Environment } from "@marcbachmann/cel-js";

/** An exact decimal: value × 10^-9, and larger where needed by scaling up first. */
class Quantity {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binary: Readonly<Record<string, bigint>> = { Ki: 10n, Mi: 20n, Gi: 30n, Ti: 40n, Pi: 50n, Ei: 60n };

/** Undefined if the text is no quantity. Finer than nano is rounded up, as the server does. */
function parseQuantity(text: string): Quantity | undefined {
  const match = /^([+-]?)(\d+\.?\d*|\.\d+)(?:([eE][+-]?\d{1,3})|([KMGTPE]i)|([numkMGTPE]?))$/.exec(text);
  if (match === null) return undefined;
  const [, sign, digits = "", exponent, power = "", suffix = ""] = match;
  const ten = exponent === undefined ? (decimal[suffix] ?? 0) : Number(exponent.slice(1));
  const nanos = toNanos(digits, ten, binary[power] ?? 0n);
  return new Quantity(sign === "-" ? -nanos : nanos);
}

function toNanos(digits: string, ten: number, two: bigint): bigint {
  const [whole = "", fraction = ""] = digits.split(".");
  const scale = 9 + ten - fraction.length;
  const value = BigInt(whole + fraction) << two;
  return scale >= 0 ? value * 10n ** BigInt(scale) : divideUp(value, 10n ** BigInt(-scale));
}

function divideUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}

const one = 1_000_000_000n;

export function registerQuantity(environment: Environment): void {
  environment
    .registerType("kubernetes.Quantity", Quantity)
    .registerFunction("isQuantity(string): bool", (text: string) => parseQuantity(text) !== undefined)
    .registerFunction("quantity(string): kubernetes.Quantity", (text: string) => {
      const quantity = parseQuantity(text);
      if (quantity === undefined)
        throw new Error("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
      return quantity;
    })
    .registerOperator("kubernetes.Quantity == kubernetes.Quantity", (a: Quantity, b: Quantity) => a.nanos === b.nanos);
  registerMethods(environment);
}

function registerMethods(environment: Environment): void {
  const type = "kubernetes.Quantity";
  const sides = {
    add: (a: bigint, b: bigint) => a + b,
    sub: (a: bigint, b: bigint) => a - b,
  };
  for (const [name, run] of Object.entries(sides)) {
    environment
      .registerFunction(
        `${type}.${name}(${type}): ${type}`,
        (a: Quantity, b: Quantity) => new Quantity(run(a.nanos, b.nanos)),
      )
      .registerFunction(
        `${type}.${name}(int): ${type}`,
        (a: Quantity, b: bigint) => new Quantity(run(a.nanos, b * one)),
      );
  }
  environment
    .registerFunction(`${type}.isLessThan(${type}): bool`, (a: Quantity, b: Quantity) => a.nanos < b.nanos)
    .registerFunction(`${type}.isGreaterThan(${type}): bool`, (a: Quantity, b: Quantity) => a.nanos > b.nanos)
    .registerFunction(`${type}.compareTo(${type}): int`, (a: Quantity, b: Quantity) => signOf(a.nanos - b.nanos))
    .registerFunction(`${type}.sign(): int`, (a: Quantity) => signOf(a.nanos))
    .registerFunction(`${type}.isInteger(): bool`, (a: Quantity) => a.nanos % one === 0n)
    .registerFunction(`${type}.asInteger(): int`, (a: Quantity) => {
      if (a.nanos % one !== 0n) throw new Error("cannot convert value to integer");
      return a.nanos / one;
    })
    .registerFunction(`${type}.asApproximateFloat(): double`, (a: Quantity) => Number(a.nanos) / Number(one));
}

function signOf(value: bigint): bigint {
  if (value === 0n) return 0n;
  return value < 0n ? -1n : 1n;
}
