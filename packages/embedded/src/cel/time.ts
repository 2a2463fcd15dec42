import { Duration } from "@marcbachmann/cel-js/evaluator";

const nanosOf: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};

/** A duration as Go writes it; undefined if it is none. */
export function parseDuration(text: string): Duration | undefined {
  if (!/^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return undefined;
  let nanos = 0;
  for (const [, amount, unit] of text.matchAll(/([\d.]+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    nanos += Number(amount) * (nanosOf[unit ?? ""] ?? 0);
  }
  const total = BigInt(Math.round(text.startsWith("-") ? -nanos : nanos));
  return new Duration(total / 1_000_000_000n, Number(total % 1_000_000_000n));
}
