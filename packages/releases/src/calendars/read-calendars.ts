// From the calendars of the configuration to those that decisions look at. The public holidays of a country come from
// date-holidays, whose data are kept up to date; it is large, so it is loaded when a calendar is read and not before.
import type { Calendar } from "../engine/schedule/calendar.ts";

/** One of `calendars[]` in the configuration. */
export interface CalendarSettings extends Calendar {
  /** ISO 3166-1: `US`, `DE`. Its public holidays count, and the days on which those on a weekend are observed. */
  readonly country?: string;
  /** ISO 3166-2 without the country: `BY`. */
  readonly state?: string;
  readonly region?: string;
}

/** Without any in the configuration: the days of the replaced operator and the federal holidays of the United States. */
const defaultCalendarSettings: readonly CalendarSettings[] = [{ country: "US", hasDefaultHolidays: true }];

/** So far ahead days are known; reading them again moves it. */
const YEARS = 10;

class UnknownCountryError extends Error {
  readonly code = "UnknownCountry";
}

export async function readCalendars(
  settings: readonly CalendarSettings[],
  nowMs: number,
): Promise<readonly Calendar[]> {
  const given = settings.length > 0 ? settings : defaultCalendarSettings;
  const thisYear = new Date(nowMs).getUTCFullYear();
  const years = Array.from({ length: YEARS + 1 }, (_, index) => thisYear - 1 + index);
  return Promise.all(given.map((calendar) => readCalendar(calendar, years)));
}

async function readCalendar(settings: CalendarSettings, years: readonly number[]): Promise<Calendar> {
  const { country, state, region, ...calendar } = settings;
  if (country === undefined) return calendar;
  const days = await publicHolidays({ country, state, region }, years);
  return { ...calendar, holidays: [...new Set([...(calendar.holidays ?? []), ...days])].toSorted() };
}

interface Place {
  readonly country: string;
  readonly state: string | undefined;
  readonly region: string | undefined;
}

async function publicHolidays(place: Place, years: readonly number[]): Promise<readonly string[]> {
  const { default: Holidays } = await import("date-holidays");
  const country = place.country.toUpperCase();
  const known = new Holidays(
    {
      country,
      ...(place.state ? { state: place.state.toUpperCase() } : {}),
      ...(place.region ? { region: place.region.toUpperCase() } : {}),
    },
    { types: ["public"] },
  );
  const days = years
    .flatMap((year) => known.getHolidays(year))
    .flatMap(({ date, start, end }) => daysOf(date, end.getTime() - start.getTime()));
  if (days.length > 0) return days;
  const name = [place.country, place.state, place.region].filter(Boolean).join("-");
  throw new UnknownCountryError(`no public holidays are known for ${name}: write an ISO 3166 code such as US or DE`);
}

const DAY_MS = 86_400_000;

/** By the local date, whatever zone the hours are in. */
function daysOf(date: string, lengthMs: number): readonly string[] {
  const firstMs = Date.parse(`${date.slice(0, 10)}T00:00:00Z`);
  const count = Math.max(1, Math.round(lengthMs / DAY_MS));
  return Array.from({ length: count }, (_, index) => new Date(firstMs + index * DAY_MS).toISOString().slice(0, 10));
}
