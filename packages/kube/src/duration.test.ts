import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDuration, parseDuration } from "./index.ts";

describe("a duration", () => {
  // The canonical column as Go prints it.
  test.each([
    { text: "0", ms: 0, canonical: "0s" },
    { text: "2h", ms: 7_200_000, canonical: "2h0m0s" },
    { text: "90s", ms: 90_000, canonical: "1m30s" },
    { text: "1h1s", ms: 3_601_000, canonical: "1h0m1s" },
    { text: "1.5s", ms: 1500, canonical: "1.5s" },
    { text: ".5h", ms: 1_800_000, canonical: "30m0s" },
    { text: "300ms", ms: 300, canonical: "300ms" },
    { text: "1500us", ms: 1.5, canonical: "1.5ms" },
    { text: "1.5µs", ms: 0.0015, canonical: "1.5µs" },
    { text: "7ns", ms: 0.000_007, canonical: "7ns" },
    { text: "-1m30.25s", ms: -90_250, canonical: "-1m30.25s" },
    { text: "+1m", ms: 60_000, canonical: "1m0s" },
    { text: "1s1s", ms: 2000, canonical: "2s" },
    { text: "2540400h10m10s", ms: 9_145_440_610_000, canonical: "2540400h10m10s" },
  ])("$text is $ms ms and prints as $canonical", ({ text, ms, canonical }) => {
    expect(parseDuration(text)).toEqual({ ok: true, value: ms });
    expect(formatDuration(ms)).toBe(canonical);
  });

  test.each([
    { text: "", problem: 'invalid duration ""' },
    { text: "-", problem: 'invalid duration "-"' },
    { text: "1", problem: 'missing unit in duration "1"' },
    { text: "1h 30m", problem: 'unknown unit "h " in duration "1h 30m"' },
    { text: "1d", problem: 'unknown unit "d" in duration "1d"' },
    { text: ".s", problem: 'invalid duration ".s"' },
    { text: "9999999h", problem: 'invalid duration "9999999h"' },
  ])("can't be read from $text", ({ text, problem }) => {
    expect(parseDuration(text)).toEqual({ ok: false, problem });
  });

  test("of up to 100 days survives being printed and read, to the nanosecond", () => {
    const days100InMicros = 100 * 24 * 3600 * 1e6;
    fc.assert(
      fc.property(fc.integer({ min: -days100InMicros, max: days100InMicros }), (micros) => {
        const text = formatDuration(micros / 1000);
        const parsed = parseDuration(text);
        expect(parsed).toEqual({ ok: true, value: expect.closeTo(micros / 1000, 5) });
        expect(parsed.ok && formatDuration(parsed.value)).toBe(text);
      }),
    );
  });

  test("never throws, whatever the text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+0-9.nuµmsh]{0,12}$/)), (text) => {
        const parsed = parseDuration(text);
        if (parsed.ok) expect(parseDuration(formatDuration(parsed.value)).ok).toBe(true);
      }),
    );
  });
});
