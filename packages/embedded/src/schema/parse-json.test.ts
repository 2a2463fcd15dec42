import * as fc from "fast-check";
import { expect, test } from "vitest";
import { equalJson } from "./json.ts";
import { parseJson, parseJsonLenient, stringifyJson } from "./parse-json.ts";

test("fields that are given twice are named, and the last one counts", () => {
  expect(parseJson('{"a": 1, "spec": {"x": [{"k": 1, "k": 2}]}, "a": 2}')).toEqual({
    value: { a: 2, spec: { x: [{ k: 2 }] } },
    duplicateFields: ["spec.x[0].k", "a"],
  });
});

test("integers keep their 64 bits; what is longer is a float", () => {
  const text = '{"n":9007199254740993,"m":-9223372036854775808,"f":1e30,"big":123456789012345678901234567890}';
  const { value } = parseJson(text);
  expect(value).toEqual({
    n: 9_007_199_254_740_993n,
    m: -9_223_372_036_854_775_808n,
    f: 1e30,
    big: Number("123456789012345678901234567890"),
  });
  expect(stringifyJson(parseJsonLenient('{"n":9007199254740993}'))).toBe('{"n":9007199254740993}');
});

test("it reads what JSON.parse reads", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      // JSON.parse rounds what parseJson keeps.
      const rounded: unknown = JSON.parse(stringifyJson(parseJson(text).value));
      expect(equalJson(rounded, JSON.parse(text))).toBe(true);
    }),
  );
});

test("it refuses what JSON.parse refuses", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const parses = (parse: (text: string) => unknown) => {
        try {
          parse(text);
          return true;
        } catch (error) {
          return !(error instanceof SyntaxError);
        }
      };
      expect(parses((text) => parseJson(text).value)).toBe(parses(JSON.parse));
    }),
  );
});

test.each(['{"a" 1}', "[1,]", '{"a":1,}', '"\u0001"', "01", "nul", "", "[", '{"a":1}}', "1 2"])(
  "%s is refused",
  (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  },
);
