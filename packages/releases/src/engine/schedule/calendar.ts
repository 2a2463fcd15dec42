// Which days and hours a schedule leaves open (§11).
import { timeMs } from "@chaski/kube";
import { dayAfter, isFederalHoliday, isListedHoliday, weekdayOf } from "./holidays.ts";

/** Days and times on which nothing is released. */
export interface Calendar {
  /** An IANA zone in which day, weekday and hour are taken. Without it: days in UTC, hours in Los Angeles. */
  readonly zone?: string;
  /** Days: `2026-12-24`. */
  readonly holidays?: readonly string[];
  readonly freezes?: readonly Freeze[];
  /** Whether the holidays of the default calendar count too. */
  readonly hasDefaultHolidays?: boolean;
}

export interface Freeze {
  /** RFC 3339. */
  readonly start: string;
  readonly end: string;
  readonly reason?: string;
}

export const defaultCalendar: Calendar = { hasDefaultHolidays: true };

export type ScheduleName = "humane" | "inhumane" | "always";

/** Any other name permits at all times. */
export function scheduleOf(name: string): ScheduleName {
  if (name === "humane" || name === "Humane") return "humane";
  return name === "inhumane" || name === "Inhumane" ? "inhumane" : "always";
}

/** Every calendar must permit it. Freezes hold even what is released at any time. */
export function permits(schedule: ScheduleName, atMs: number, calendars: readonly Calendar[]): boolean {
  return calendars.every((calendar) => !isFrozen(calendar, atMs) && permitsIn(schedule, atMs, calendar));
}

export function isFrozen({ freezes = [] }: Calendar, atMs: number): boolean {
  return freezes.some(({ start, end }) => (timeMs(start) ?? Infinity) <= atMs && atMs < (timeMs(end) ?? -Infinity));
}

function permitsIn(schedule: ScheduleName, atMs: number, calendar: Calendar): boolean {
  if (schedule === "always") return true;
  const { day, hour } = localTime(atMs, calendar.zone);
  const weekday = weekdayOf(day);
  const isWeekend = weekday === SUNDAY || weekday === SATURDAY;
  if (isWeekend || isHoliday(calendar, day)) return false;
  if (schedule === "inhumane") return true;
  const isShortDay = weekday === FRIDAY || isHoliday(calendar, dayAfter(day));
  return hour >= FIRST_HOUR && hour < (isShortDay ? SHORT_DAY_END : DAY_END);
}

const SUNDAY = 0;
const FRIDAY = 5;
const SATURDAY = 6;
const FIRST_HOUR = 7;
const DAY_END = 16;
const SHORT_DAY_END = 14;

function isHoliday({ holidays = [], hasDefaultHolidays = false }: Calendar, day: string): boolean {
  return holidays.includes(day) || (hasDefaultHolidays && (isListedHoliday(day) || isFederalHoliday(day)));
}

const HOUR_ZONE = "America/Los_Angeles";

function localTime(atMs: number, zone: string | undefined): { readonly day: string; readonly hour: number } {
  const days = formatter(zone ?? "UTC");
  const hours = formatter(zone ?? HOUR_ZONE);
  const instant = new Date(atMs);
  const date = partsOf(days, instant);
  return { day: `${date["year"]}-${date["month"]}-${date["day"]}`, hour: Number(partsOf(hours, instant)["hour"]) };
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** A zone that this machine does not know counts as UTC: a missing table must stop nothing (D-06). */
function formatter(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const made = makeFormatter(zone);
  formatters.set(zone, made);
  return made;
}

function makeFormatter(timeZone: string): Intl.DateTimeFormat {
  const format = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", hourCycle: "h23" } as const;
  try {
    return new Intl.DateTimeFormat("en-CA", { ...format, timeZone });
  } catch {
    return new Intl.DateTimeFormat("en-CA", { ...format, timeZone: "UTC" });
  }
}

function partsOf(format: Intl.DateTimeFormat, instant: Date): Readonly<Record<string, string>> {
  return Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
}

const HOUR_MS = 3_600_000;
const QUARTER_MS = HOUR_MS / 4;
const HORIZON_MS = 21 * 24 * HOUR_MS;

interface Found {
  readonly fromMs: number;
  readonly atMs: number | undefined;
}

/** The same for every release of one configuration, and valid until its time has come. */
const found = new WeakMap<readonly Calendar[], Map<ScheduleName, Found>>();

/** The next quarter of an hour at which the schedule permits; undefined beyond three weeks. */
export function nextPermitted(
  schedule: ScheduleName,
  fromMs: number,
  calendars: readonly Calendar[],
): number | undefined {
  const bySchedule = found.get(calendars) ?? new Map<ScheduleName, Found>();
  const known = bySchedule.get(schedule);
  const isValid = known !== undefined && known.fromMs <= fromMs && fromMs < (known.atMs ?? known.fromMs + HOUR_MS);
  if (isValid) return known.atMs;
  const atMs = searchPermitted(schedule, fromMs, calendars);
  found.set(calendars, bySchedule.set(schedule, { fromMs, atMs }));
  return atMs;
}

function searchPermitted(schedule: ScheduleName, fromMs: number, calendars: readonly Calendar[]): number | undefined {
  const first = Math.floor(fromMs / QUARTER_MS) * QUARTER_MS + QUARTER_MS;
  for (let atMs = first; atMs <= fromMs + HORIZON_MS; atMs += HOUR_MS) {
    if (permits(schedule, atMs, calendars)) return firstQuarter(schedule, Math.max(first, atMs - HOUR_MS), calendars);
  }
  return undefined;
}

function firstQuarter(schedule: ScheduleName, fromMs: number, calendars: readonly Calendar[]): number {
  return permits(schedule, fromMs, calendars) ? fromMs : firstQuarter(schedule, fromMs + QUARTER_MS, calendars);
}
