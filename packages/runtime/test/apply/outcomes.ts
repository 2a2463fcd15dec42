import type { EntryResult } from "@chaski/runtime";

/** Results in one line each, as short as they can be told apart: `Service written`, `Role failed Forbidden`. */
export function outcomes(results: readonly EntryResult[]): readonly string[] {
  return results.map((result) => {
    const reason = result.outcome === "failed" ? ` ${result.reason}` : "";
    return `${result.ref.kind.kind} ${result.outcome}${reason}`;
  });
}
