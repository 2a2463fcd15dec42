import { formatTimestamp } from "@chaski/kube";

/** Of a gate, where the time is known. */
export function sinceOf(time: string | null | undefined): { readonly since?: string } {
  return typeof time === "string" ? { since: time } : {};
}

const MAX_MS = 8.64e15 - 1;

/** RFC 3339; a time beyond what a date can hold is the last one that it can. */
export function timestampText(ms: number): string {
  return formatTimestamp(Number.isFinite(ms) ? Math.min(MAX_MS, Math.max(0, ms)) : 0);
}

/** Of a gate that time alone may open. */
export function earliestAt(ms: number | undefined): { readonly earliest?: string } {
  return ms === undefined ? {} : { earliest: timestampText(ms) };
}
