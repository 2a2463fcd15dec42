import { describe, expect, test } from "vitest";
import { permits } from "../engine/schedule/calendar.ts";
import { isFederalHoliday } from "../engine/schedule/holidays.ts";
import { type CalendarSettings, readCalendars } from "./read-calendars.ts";

const NOW_MS = Date.parse("2024-03-04T18:00:00Z");
const DAY_MS = 86_400_000;

async function holidays(settings: CalendarSettings): Promise<readonly string[]> {
  const [calendar] = await readCalendars([settings], NOW_MS);
  return calendar?.holidays ?? [];
}

function federalHolidays(year: number): readonly string[] {
  const first = Date.UTC(year, 0, 1);
  const days = Array.from({ length: 366 }, (_, day) => new Date(first + day * DAY_MS).toISOString().slice(0, 10));
  return days.filter((day) => day.startsWith(String(year)) && isFederalHoliday(day));
}

/** The law observes Veterans Day on a weekday too; the source has the day itself only. */
const ONLY_BY_LAW = ["2028-11-10", "2029-11-12"];

describe("the federal holidays of the United States, by law and by the source that is kept up to date", () => {
  test.each([2024, 2025, 2026, 2027, 2028, 2029, 2030])("agree in %i", async (year) => {
    const ofYear = (await holidays({ country: "US" })).filter((day) => day.startsWith(String(year)));
    expect(ofYear).toEqual(federalHolidays(year).filter((day) => !ONLY_BY_LAW.includes(day)));
  });
});

describe("a calendar of the configuration", () => {
  test.each([
    { place: { country: "DE" }, is: "2026-04-06", isNot: "2026-01-06", name: "Easter Monday, no Epiphany" },
    { place: { country: "de", state: "by" }, is: "2026-01-06", isNot: "2026-02-16", name: "Bavaria has Epiphany" },
    { place: { country: "GB" }, is: "2026-12-28", isNot: "2026-07-04", name: "Boxing Day is observed on Monday" },
    { place: { country: "JP" }, is: "2026-05-06", isNot: "2026-12-25", name: "a substitute in Golden Week" },
  ])("$place.country $place.state: $name", async ({ place, is, isNot }) => {
    const days = await holidays(place);
    expect([days.includes(is), days.includes(isNot)]).toEqual([true, false]);
  });

  test("keeps its zone, its own days and its freezes", async () => {
    const freezes = [{ start: "2026-06-01T00:00:00Z", end: "2026-06-02T00:00:00Z" }];
    const settings = { country: "DE", zone: "Europe/Berlin", holidays: ["2026-06-15"], freezes };
    const calendars = await readCalendars([settings], NOW_MS);
    const isOpen = (time: string): boolean => permits("humane", Date.parse(time), calendars);
    expect(calendars).toMatchObject([{ zone: "Europe/Berlin", freezes }]);
    expect(["2026-06-01T10:00:00Z", "2026-06-15T10:00:00Z", "2026-05-01T10:00:00Z"].map(isOpen)).toEqual([
      false,
      false,
      false,
    ]);
    expect(["2026-06-16T05:00:00Z", "2026-06-16T04:59:00Z"].map(isOpen)).toEqual([true, false]);
  });

  test("the default has the federal holidays and the days of the replaced operator", async () => {
    const calendars = await readCalendars([], NOW_MS);
    const isOpen = (time: string): boolean => permits("inhumane", Date.parse(time), calendars);
    expect(["2026-07-03T18:00:00Z", "2028-11-10T18:00:00Z", "2023-12-20T18:00:00Z"].map(isOpen)).toEqual([
      false,
      false,
      false,
    ]);
    expect(isOpen("2026-07-06T18:00:00Z")).toBe(true);
  });

  test("a country that nobody knows is an error that says what to write", async () => {
    await expect(readCalendars([{ country: "ZZ" }], NOW_MS)).rejects.toThrow("no public holidays are known for ZZ");
  });
});
