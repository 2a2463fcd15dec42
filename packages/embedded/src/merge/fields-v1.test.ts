import { expect, test } from "vitest";
import { fieldSet } from "./field-set.ts";
import { decodeFields, describeSet, encodeFields } from "./fields-v1.ts";
import { keyElement, valueElement } from "./path-element.ts";

test("elements are ordered as the server orders them: fields, keyed items, values", () => {
  const set = fieldSet([
    [valueElement("b")],
    [valueElement(10)],
    [valueElement(9)],
    [valueElement(true)],
    [keyElement([["n", "b"]])],
    [keyElement([["n", 2]])],
    ["f:z"],
    ["f:a", "f:b"],
    ["f:a"],
  ]);
  expect(JSON.stringify(encodeFields(set))).toBe(
    JSON.stringify({
      "f:a": { ".": {}, "f:b": {} },
      "f:z": {},
      'k:{"n":2}': {},
      'k:{"n":"b"}': {},
      "v:9": {},
      "v:10": {},
      'v:"b"': {},
      "v:true": {},
    }),
  );
});

test("texts in elements are escaped as the server's encoder does", () => {
  expect(valueElement("a<b>&\b\u2028")).toBe('v:"a\\u003cb\\u003e\\u0026\\u0008\\u2028"');
});

test("paths read as in messages", () => {
  const set = decodeFields({
    "f:spec": { 'k:{"port":80,"protocol":"TCP"}': { ".": {}, "f:name": {} }, 'v:"x"': {}, "i:0": {}, "q:unknown": {} },
  });
  expect(describeSet(set)).toEqual([
    '.spec[port=80,protocol="TCP"]',
    '.spec[="x"]',
    ".spec[0]",
    '.spec[port=80,protocol="TCP"].name',
  ]);
});
