import { describe, expect, test } from "vitest";
import { readSchema } from "./read-structural.ts";
import { validate } from "./validate.ts";

const schema = readSchema({
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", minLength: 2, maxLength: 4, pattern: "^[a-z]+$" },
    count: { type: "integer", minimum: 1, maximum: 3 },
    ratio: { type: "number", minimum: 0, exclusiveMinimum: true },
    mode: { type: "string", enum: ["on", "off"] },
    size: { "x-kubernetes-int-or-string": true },
    at: { type: "string", format: "date-time" },
    map: { type: "object", additionalProperties: { type: "boolean" }, maxProperties: 1 },
    list: { type: "array", items: { type: "string" }, maxItems: 2 },
    set: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
    keyed: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      items: { type: "object", properties: { k: { type: "string" }, v: { type: "integer", maximum: 5 } } },
    },
    either: { type: "object", oneOf: [{ required: ["a"] }, { required: ["b"] }] },
    nothing: { type: "string", nullable: true },
  },
});

function problems(value: object, previous?: object): string[] {
  return validate(schema, { name: "ab", ...value }, previous && { name: "ab", ...previous }).map(
    ({ field, reason, message }) => `${field} ${reason} ${message}`,
  );
}

describe("in the words of the server", () => {
  test.each([
    { value: { count: 2, ratio: 0.5, mode: "on", size: "5%", nothing: null }, problem: undefined },
    {
      value: { name: undefined },
      problem: 'name FieldValueTypeInvalid Invalid value: "null": name in body must be of type string: "null"',
    },
    {
      value: { name: "a" },
      problem: 'name FieldValueInvalid Invalid value: "a": name in body should be at least 2 chars long',
    },
    { value: { name: "abcde" }, problem: "name FieldValueTooLong Too long: may not be more than 4 bytes" },
    {
      value: { name: "ABC" },
      problem: "name FieldValueInvalid Invalid value: \"ABC\": name in body should match '^[a-z]+$'",
    },
    {
      value: { count: "1" },
      problem: 'count FieldValueTypeInvalid Invalid value: "string": count in body must be of type integer: "string"',
    },
    {
      value: { count: 4 },
      problem: "count FieldValueInvalid Invalid value: 4: count in body should be less than or equal to 3",
    },
    {
      value: { ratio: 0 },
      problem: "ratio FieldValueInvalid Invalid value: 0: ratio in body should be greater than 0",
    },
    {
      value: { mode: "x" },
      problem: 'mode FieldValueNotSupported Unsupported value: "x": supported values: "on", "off"',
    },
    {
      value: { size: true },
      problem:
        'size FieldValueTypeInvalid Invalid value: "boolean": size in body must be of type integer,string: "boolean"',
    },
    {
      value: { at: "noon" },
      problem: 'at FieldValueTypeInvalid Invalid value: "noon": at in body must be of type date-time: "noon"',
    },
    { value: { map: { a: true, b: true } }, problem: "map FieldValueTooMany Too many: 2: must have at most 1 item" },
    { value: { list: ["a", "b", "c"] }, problem: "list FieldValueTooMany Too many: 3: must have at most 2 items" },
    { value: { set: ["a", "b", "a"] }, problem: 'set[2] FieldValueDuplicate Duplicate value: "a"' },
    { value: { keyed: [{ k: "a" }, { k: "a" }] }, problem: 'keyed[1] FieldValueDuplicate Duplicate value: {"k":"a"}' },
  ])("$value", ({ value, problem }) => {
    expect(problems(value)).toEqual(problem === undefined ? [] : [problem]);
  });

  test("a required field", () => {
    expect(validate(schema, {})).toEqual([{ field: "name", reason: "FieldValueRequired", message: "Required value" }]);
  });

  test("alternatives name no field", () => {
    expect(problems({ either: {} })).toEqual([
      '<nil> FieldValueInvalid Invalid value: "": "either" must validate one and only one schema (oneOf). Found none valid',
      "either.a FieldValueRequired Required value",
    ]);
  });
});

test("an update is not held to what it leaves alone", () => {
  const before = {
    count: 9,
    keyed: [
      { k: "a", v: 9 },
      { k: "b", v: 1 },
    ],
  };
  expect(problems({ ...before, mode: "on" }, before)).toEqual([]);
  expect(
    problems(
      {
        ...before,
        keyed: [
          { k: "b", v: 2 },
          { k: "a", v: 9 },
        ],
      },
      before,
    ),
  ).toEqual([]);
  expect(problems({ ...before, count: 8 }, before)).toHaveLength(1);
});

test("integers beyond 2^53 are integers", () => {
  const big = readSchema({ type: "object", properties: { n: { type: "integer", maximum: 5 } } });
  expect(validate(big, { n: 9_007_199_254_740_993n })).toEqual([
    {
      field: "n",
      reason: "FieldValueInvalid",
      message: "Invalid value: 9007199254740993: n in body should be less than or equal to 5",
    },
  ]);
});

test("a pattern that would backtrack for ever is judged at once", () => {
  const evil = readSchema({ type: "object", properties: { s: { type: "string", pattern: "^(a+)+$" } } });
  expect(validate(evil, { s: `${"a".repeat(50_000)}!` })).toHaveLength(1);
});
