import { parseDurationNanos } from "@chaski/kube";
import { Duration } from "@marcbachmann/cel-js/evaluator";

const NANOS_PER_SECOND = 1_000_000_000n;

/** A duration as Go writes it; undefined if it is none. */
export function parseDuration(text: string): Duration | undefined {
  const nanos = parseDurationNanos(text);
  return nanos.ok ? new Duration(nanos.value / NANOS_PER_SECOND, Number(nanos.value % NANOS_PER_SECOND)) : undefined;
}
