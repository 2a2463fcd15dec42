import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatMicroTime, formatTimestamp, parseTimestamp } from "./index.ts";

describe("a time stamp", () => {
  test.each([
    { text: "2026-03-01T12:00:00Z", iso: "2026-03-01T12:00:00.000Z" },
    { text: "2026-03-01T12:00:00.25Z", iso: "2026-03-01T12:00:00.250Z" },
    { text: "2026-03-01T14:30:00+02:30", iso: "2026-03-01T12:00:00.000Z" },
    { text: "2024-02-29t00:00:00z", iso: "2024-02-29T00:00:00.000Z" },
  ])("$text is $iso", ({ text, iso }) => {
    expect(parseTimestamp(text)).toEqual({ ok: true, value: Date.parse(iso) });
  });

  test.each([
    "",
    "2026-03-01",
    "2026-03-01 12:00:00Z",
    "2026-03-01T12:00:00",
    "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-03-01T24:00:00Z",
    "now",
  ])("%j is refused", (text) => {
    expect(parseTimestamp(text)).toEqual({ ok: false, problem: expect.stringContaining("not an RFC 3339 time") });
  });

  test("has whole seconds, and microseconds as a micro time", () => {
    const parsed = parseTimestamp("2026-03-01T12:00:00.123456Z");
    expect(parsed.ok && formatTimestamp(parsed.value)).toBe("2026-03-01T12:00:00Z");
    expect(parsed.ok && formatMicroTime(parsed.value)).toBe("2026-03-01T12:00:00.123456Z");
    expect(formatMicroTime(Date.UTC(2026, 2, 1))).toBe("2026-03-01T00:00:00.000000Z");
  });

  test("survives being printed and read, to the microsecond", () => {
    const year2100InMicros = Date.UTC(2100, 0, 1) * 1000;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: year2100InMicros }), (micros) => {
        const text = formatMicroTime(micros / 1000);
        const parsed = parseTimestamp(text);
        expect(parsed.ok && Math.round(parsed.value * 1000)).toBe(micros);
        expect(parsed.ok && formatMicroTime(parsed.value)).toBe(text);
      }),
    );
  });
});
