// The acceptance scenario of the specification (§16) that is about schedules, and what calendars add to it.
import { describe, expect, test } from "vitest";
import { NOW_MS } from "../../../test/worlds.ts";
import { defaultCalendar, permits, scheduleOf } from "./calendar.ts";

describe("scenario 23: schedules", () => {
  test.each([
    { schedule: "humane", at: "2019-04-17T13:59:00Z", is: false },
    { schedule: "humane", at: "2019-04-17T14:00:00Z", is: true },
    { schedule: "Humane", at: "2019-04-17T22:59:00Z", is: true },
    { schedule: "humane", at: "2019-04-17T23:00:00Z", is: false },
    { schedule: "humane", at: "2019-04-19T20:59:00Z", is: true },
    { schedule: "humane", at: "2019-04-19T21:00:00Z", is: false },
    { schedule: "humane", at: "2020-11-25T21:59:00Z", is: true },
    { schedule: "humane", at: "2020-11-25T22:00:00Z", is: false },
    { schedule: "humane", at: "2020-11-26T18:00:00Z", is: false },
    { schedule: "humane", at: "2020-11-27T18:00:00Z", is: false },
    { schedule: "humane", at: "2020-11-30T14:59:00Z", is: false },
    { schedule: "humane", at: "2020-11-30T15:00:00Z", is: true },
    { schedule: "inhumane", at: "2019-04-19T23:59:59Z", is: true },
    { schedule: "inhumane", at: "2019-04-20T00:00:00Z", is: false },
    { schedule: "inhumane", at: "2021-09-06T12:00:00Z", is: false },
    { schedule: "inhumane", at: "2021-09-07T00:00:00Z", is: true },
    { schedule: "indifferent", at: "2021-09-06T03:00:00Z", is: true },
  ])("$schedule at $at: $is", ({ schedule, at, is }) => {
    expect(permits(scheduleOf(schedule), Date.parse(at), [defaultCalendar])).toBe(is);
  });
});

describe("D-02: calendars", () => {
  test.each([
    { at: "2026-11-26T18:00:00Z", is: false, why: "Thanksgiving" },
    { at: "2026-07-03T18:00:00Z", is: false, why: "4 July is a Saturday, observed on Friday" },
    { at: "2027-12-31T18:00:00Z", is: false, why: "1 January 2028 is a Saturday, observed on Friday" },
    { at: "2026-05-25T18:00:00Z", is: false, why: "Memorial Day" },
    { at: "2035-01-15T18:00:00Z", is: false, why: "Martin Luther King's day, in any year" },
    { at: "2026-11-25T23:30:00Z", is: false, why: "the eve of a holiday ends at 14" },
    { at: "2026-11-25T21:30:00Z", is: true, why: "the eve of a holiday before 14" },
  ])("$at is $is: $why", ({ at, is }) => {
    expect(permits("humane", Date.parse(at), [defaultCalendar])).toBe(is);
  });

  test("a configured calendar counts in its own zone", () => {
    const berlin = { zone: "Europe/Berlin", holidays: ["2026-03-05"] };
    expect(permits("humane", Date.parse("2026-03-04T12:30:00Z"), [berlin])).toBe(true);
    expect(permits("humane", Date.parse("2026-03-04T13:30:00Z"), [berlin])).toBe(false);
    expect(permits("inhumane", Date.parse("2026-03-04T23:30:00Z"), [berlin])).toBe(false);
  });

  test("a freeze holds what would be released at any time", () => {
    const frozen = { freezes: [{ start: "2026-03-04T00:00:00Z", end: "2026-03-05T00:00:00Z" }] };
    expect(permits("always", NOW_MS, [frozen])).toBe(false);
    expect(permits("always", NOW_MS + 86_400_000, [frozen])).toBe(true);
  });

  test("D-06: a zone that nobody knows stops nothing", () => {
    expect(permits("inhumane", NOW_MS, [{ zone: "Atlantis/Capital" }])).toBe(true);
  });
});
