import { parseDuration } from "@chaski/kube";

const NANOS_PER_MS = 1_000_000;
const NANOS_PER_SECOND = 1_000_000_000;

/** A Go duration as protobuf's JSON has it (`3ms` is `0.003s`); undefined where it is none that Istio takes (1ms or more). */
export function protoDuration(goDuration: string | undefined): string | undefined {
  if (goDuration === undefined) return undefined;
  const ms = parseDuration(goDuration);
  if (!ms.ok || ms.value < 1) return undefined;
  const nanos = Math.round(ms.value * NANOS_PER_MS);
  const fraction = String(nanos % NANOS_PER_SECOND).padStart(9, "0");
  return `${Math.floor(nanos / NANOS_PER_SECOND)}${fractionText(fraction)}s`;
}

/** None, three, six or nine digits: as many as are needed. */
function fractionText(digits: string): string {
  const needed = digits.replace(/(?:000)+$/, "");
  return needed === "" ? "" : `.${needed}`;
}
