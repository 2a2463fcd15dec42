// Kubernetes' time stamps: RFC 3339 in UTC, whole seconds in most places, microseconds in Leases and Events.
import { bad, good, type Result } from "./result.ts";

const pattern = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?([Zz]|[+-]\d{2}:\d{2})$/;

/** Milliseconds since 1970; finer digits stay as a part of one. */
export function parseTimestamp(text: string): Result<number> {
  const [, date, hours, minutes, seconds, fraction = "", zone = ""] = pattern.exec(text) ?? [];
  const wholeMs = Date.parse(`${date}T${hours}:${minutes}:${seconds}${zone.toUpperCase()}`);
  if (Number.isNaN(wholeMs) || hours === "24" || !isDayOfMonth(date ?? "")) {
    return bad(`not an RFC 3339 time: ${JSON.stringify(text)}`);
  }
  return good(wholeMs + Number(`0.${fraction}0`) * 1000);
}

/** Of a field that may hold anything: milliseconds since 1970, undefined for what is no time. */
export function timeMs(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const parsed = parseTimestamp(value);
  return parsed.ok ? parsed.value : undefined;
}

/** `2026-03-01T12:00:00Z`: what is finer than a second is cut off, as Kubernetes does. */
export function formatTimestamp(epochMs: number): string {
  return `${new Date(Math.floor(epochMs / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

/** `2026-03-01T12:00:00.123456Z`, for Leases and Events. */
export function formatMicroTime(epochMs: number): string {
  const micros = Math.floor(epochMs * 1000 + 0.5);
  const fraction = String(micros - Math.floor(micros / 1e6) * 1e6).padStart(6, "0");
  return `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, 19)}.${fraction}Z`;
}

/** Date.parse takes 30 February for 2 March. */
function isDayOfMonth(date: string): boolean {
  return Number(date.slice(8)) <= 28 || new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);
}
