// Holidays of the default calendar: the dates that the replaced operator was built with, and from 2022 on the
// federal holidays of the United States, which the law gives as rules (5 U.S.C. 6103) and so hold for any year.

const DAY_MS = 86_400_000;

const listed = new Set([
  ...days("2020-06-19", "2020-07-03", "2020-07-04", "2020-07-05", "2020-09-07", "2020-11-26", "2020-11-27"),
  ...days("2020-12-17", "2020-12-18", ...range("2020-12-21", "2020-12-31")),
  ...days("2021-01-01", "2021-01-18", "2021-05-31", "2021-06-19", "2021-07-04", "2021-07-05", "2021-09-06"),
  ...days("2021-11-25", "2021-11-26", "2021-12-24", "2021-12-25", "2021-12-26", "2021-12-31"),
  ...days("2023-01-01", ...range("2023-12-20", "2023-12-31"), "2024-01-01"),
]);

export function isListedHoliday(day: string): boolean {
  return listed.has(day);
}

const FEDERAL_SINCE = 2022;
const federalByYear = new Map<number, ReadonlySet<string>>();

export function isFederalHoliday(day: string): boolean {
  const year = Number(day.slice(0, 4));
  if (year < FEDERAL_SINCE) return false;
  // The next year's 1 January may be observed on this year's 31 December.
  return federalHolidays(year).has(day) || federalHolidays(year + 1).has(day);
}

/** The days of one year's holidays, and the days on which those that fall on a weekend are observed. */
function federalHolidays(year: number): ReadonlySet<string> {
  const known = federalByYear.get(year);
  if (known) return known;
  const fixed = ["01-01", "06-19", "07-04", "11-11", "12-25"].map((day) => `${year}-${day}`);
  const moving = [
    nthWeekday(year, 1, MONDAY, 3),
    nthWeekday(year, 2, MONDAY, 3),
    lastMondayOfMay(year),
    nthWeekday(year, 9, MONDAY, 1),
    nthWeekday(year, 10, MONDAY, 2),
    nthWeekday(year, 11, THURSDAY, 4),
  ];
  const holidays = new Set([...fixed, ...fixed.map(observedOn), ...moving]);
  federalByYear.set(year, holidays);
  return holidays;
}

const SUNDAY = 0;
const MONDAY = 1;
const THURSDAY = 4;
const SATURDAY = 6;

export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

export function dayAfter(day: string, days = 1): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

function observedOn(day: string): string {
  const weekday = weekdayOf(day);
  if (weekday === SATURDAY) return dayAfter(day, -1);
  return weekday === SUNDAY ? dayAfter(day) : day;
}

function nthWeekday(year: number, month: number, weekday: number, nth: number): string {
  const first = `${year}-${String(month).padStart(2, "0")}-01`;
  return dayAfter(first, ((weekday - weekdayOf(first) + 7) % 7) + (nth - 1) * 7);
}

function lastMondayOfMay(year: number): string {
  const last = `${year}-05-31`;
  return dayAfter(last, -((weekdayOf(last) - MONDAY + 7) % 7));
}

function days(...given: readonly string[]): readonly string[] {
  return given;
}

function range(from: string, to: string): readonly string[] {
  const all = [from];
  for (let day = dayAfter(from); day <= to; day = dayAfter(day)) all.push(day);
  return all;
}
