// Times as people say them.
import type { Frame } from "./line.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** In one unit, coarse: `8 s`, `4 min`, `3 h`, `12 d`. */
export function span(ms: number): string {
  const size = Math.max(0, ms);
  if (size < 2 * MINUTE_MS) return `${Math.round(size / SECOND_MS)} s`;
  if (size < 2 * HOUR_MS) return `${Math.round(size / MINUTE_MS)} min`;
  if (size < 2 * DAY_MS) return `${Math.round(size / HOUR_MS)} h`;
  return `${Math.round(size / DAY_MS)} d`;
}

export function age(since: string | null | undefined, { nowMs }: Frame): string {
  const ms = Date.parse(since ?? "");
  return Number.isNaN(ms) ? "" : span(nowMs - ms);
}

/** `in 4 min (14:05)`; with the day where it is another one. */
export function upcoming(time: string | undefined, frame: Frame): string | undefined {
  const ms = Date.parse(time ?? "");
  if (Number.isNaN(ms)) return undefined;
  const away = ms - frame.nowMs;
  if (away <= 0) return "any moment";
  return `in ${span(away)} (${clockTime(ms, frame, away)})`;
}

/** By the calendar's own words: setting up a format of Intl takes longer than all the rest of `chaski why`. */
export function clockTime(ms: number, { timeZone, nowMs }: Frame, awayMs = Math.abs(ms - nowMs)): string {
  const offsetMs = timeZone === "UTC" ? 0 : new Date(ms).getTimezoneOffset() * MINUTE_MS;
  const [weekday, day, month, , time = ""] = new Date(ms - offsetMs).toUTCString().split(/,? /);
  const clock = time.slice(0, awayMs < 2 * MINUTE_MS ? "00:00:00".length : "00:00".length);
  if (awayMs < 20 * HOUR_MS) return clock;
  return awayMs < 6 * DAY_MS ? `${weekday} ${clock}` : `${weekday} ${Number(day)} ${month}, ${clock}`;
}
