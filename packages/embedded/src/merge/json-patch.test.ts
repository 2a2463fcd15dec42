import { describe, expect, test } from "vitest";
import { jsonPatch } from "./json-patch.ts";

const document = { spec: { replicas: 1, args: ["a", "b"], "a/b": 1, none: null } };

describe("operations", () => {
  test.each([
    { patch: [{ op: "add", path: "/spec/paused", value: true }], spec: { ...document.spec, paused: true } },
    { patch: [{ op: "add", path: "/spec/args/-", value: "c" }], spec: { ...document.spec, args: ["a", "b", "c"] } },
    { patch: [{ op: "add", path: "/spec/args/0", value: "c" }], spec: { ...document.spec, args: ["c", "a", "b"] } },
    { patch: [{ op: "add", path: "/spec/args/-1", value: "c" }], spec: { ...document.spec, args: ["a", "b", "c"] } },
    { patch: [{ op: "remove", path: "/spec/args/-1" }], spec: { ...document.spec, args: ["a"] } },
    { patch: [{ op: "replace", path: "/spec/a~1b", value: 2 }], spec: { ...document.spec, "a/b": 2 } },
    { patch: [{ op: "replace", path: "/spec/new", value: 2 }], spec: { ...document.spec, new: 2 } },
    {
      patch: [{ op: "move", from: "/spec/args/0", path: "/spec/args/1" }],
      spec: { ...document.spec, args: ["b", "a"] },
    },
    { patch: [{ op: "copy", from: "/spec/args", path: "/spec/x" }], spec: { ...document.spec, x: ["a", "b"] } },
    { patch: [{ op: "test", path: "/spec/none", value: null }], spec: document.spec },
  ])("$patch", ({ patch, spec }) => {
    const before = JSON.stringify(document);
    expect(jsonPatch(document, patch)).toEqual({ spec });
    expect(JSON.stringify(document)).toBe(before);
  });
});

describe("what is refused, in the server's words", () => {
  test.each([
    {
      patch: {},
      code: 400,
      message: "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
    },
    {
      patch: [{ op: "test", path: "/spec/replicas", value: 2 }],
      code: 422,
      message: "testing value /spec/replicas failed: test failed",
    },
    {
      patch: [{ op: "add", path: "/a/b", value: 1 }],
      code: 422,
      message: 'add operation does not apply: doc is missing path: "/a/b": missing value',
    },
    {
      patch: [{ op: "remove", path: "/spec/x" }],
      code: 422,
      message: "error in remove for path: '/spec/x': Unable to remove nonexistent key: x: missing value",
    },
    {
      patch: [{ op: "add", path: "/spec/args/9", value: 1 }],
      code: 422,
      message: "error in add for path: '/spec/args/9': Unable to access invalid index: 9: invalid index referenced",
    },
    { patch: [{ op: "toString", path: "/spec" }], code: 422, message: "Unexpected kind: toString" },
    {
      patch: Array.from({ length: 10_001 }, () => ({ op: "test", path: "/spec/replicas", value: 1 })),
      code: 413,
      message: "Request entity is too large: The allowed maximum operations in a JSON patch is 10000, got 10001",
    },
  ])("$message", ({ patch, code, message }) => {
    expect(() => jsonPatch(document, patch)).toThrow(expect.objectContaining({ code, message }));
  });

  test("copies that would grow without bounds", () => {
    const big = { a: "x".repeat(100_000) };
    const patch = Array.from({ length: 40 }, (_, i) => ({ op: "copy", from: "/a", path: `/b${i}` }));
    expect(() => jsonPatch(big, patch)).toThrow(/accumulated size increase of copy/);
  });
});

test("a pointer through __proto__ reaches data only", () => {
  expect(() => jsonPatch({ spec: {} }, [{ op: "add", path: "/spec/__proto__/polluted", value: 1 }])).toThrow(
    /missing path/,
  );
  const patched = jsonPatch({ spec: {} }, [{ op: "add", path: "/spec/__proto__", value: { polluted: 1 } }]);
  expect(JSON.stringify(patched)).toBe('{"spec":{"__proto__":{"polluted":1}}}');
});
