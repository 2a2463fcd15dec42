import { array, assert, nat, property, string } from "fast-check";
import { expect, test } from "vitest";
import { LineSplitter, parseEvent } from "./watch-events.ts";

const lines = array(
  string({ unit: "binary", minLength: 1 }).map((text) => JSON.stringify({ text })),
  { maxLength: 8 },
);

test("lines come out whole, however the bytes are cut, and a line without its end never does", () => {
  assert(
    property(lines, string({ unit: "grapheme" }), array(nat({ max: 200 })), (whole, tail, cuts) => {
      const bytes = Buffer.from(whole.map((line) => `${line}\n`).join("") + tail.replaceAll("\n", ""));
      const splitter = new LineSplitter();
      const seen: string[] = [];
      let start = 0;
      for (const cut of [...cuts, bytes.length]) {
        seen.push(...splitter.lines(bytes.subarray(start, start + cut)));
        start = Math.min(bytes.length, start + cut);
      }
      seen.push(...splitter.lines(bytes.subarray(start)));
      expect(seen).toEqual(whole);
    }),
  );
});

test.each(["", "null", "[]", "{", '{"type":"ADDED"}', '{"type":1,"object":{}}', '{"type":"ADDED","object":null}'])(
  "%s is no event",
  (line) => {
    expect(parseEvent(line)).toBeUndefined();
  },
);
