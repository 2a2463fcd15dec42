import { expect, test } from "vitest";
import { jsonMergePatch } from "./json-merge-patch.ts";

test.each([
  { target: { a: 1, b: 2 }, patch: { b: null, c: 3 }, result: { a: 1, c: 3 } },
  { target: { a: { b: 1, c: 2 } }, patch: { a: { b: null } }, result: { a: { c: 2 } } },
  { target: { a: 1 }, patch: { a: { b: null, c: 1 } }, result: { a: { c: 1 } } },
  { target: { a: [1] }, patch: { a: [{ b: null }, null] }, result: { a: [{}, null] } },
  { target: { a: { b: 1 } }, patch: { a: [{ b: null }] }, result: { a: [{ b: null }] } },
])("$target patched by $patch is $result", ({ target, patch, result }) => {
  expect(jsonMergePatch(target, patch)).toEqual(result);
});

test("a patch has to be an object", () => {
  expect(() => jsonMergePatch({}, [])).toThrow(/cannot unmarshal array into Go value of type map/);
  expect(() => jsonMergePatch({}, null)).toThrow("Invalid JSON Patch");
});

test("what the patch leaves alone is shared, and nothing is changed", () => {
  const target = { kept: { deep: 1 }, changed: { a: 1 } };
  const merged = jsonMergePatch(target, { changed: { a: 2 } });
  expect(merged["kept"]).toBe(target.kept);
  expect(target.changed.a).toBe(1);
});

test("__proto__ is a key like any other", () => {
  const merged = jsonMergePatch({}, JSON.parse('{"__proto__": {"polluted": 1}}'));
  expect(JSON.stringify(merged)).toBe('{"__proto__":{"polluted":1}}');
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
});
