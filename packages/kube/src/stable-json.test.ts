import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contentHash, stableJson } from "./index.ts";

function reversedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversedKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, field]) => [name, reversedKeys(field)]),
  );
}

describe("stable JSON", () => {
  test("sorts keys at every depth, keeps lists, drops undefined fields", () => {
    expect(stableJson({ b: [{ d: 1, c: null }], a: "x", gone: undefined })).toBe('{"a":"x","b":[{"c":null,"d":1}]}');
  });

  test("is JSON of the same value, whatever the order of its keys", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(stableJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(stableJson(reversedKeys(value))).toBe(stableJson(value));
        expect(contentHash(reversedKeys(value))).toBe(contentHash(value));
      }),
    );
  });
});

describe("the content hash", () => {
  // FNV-1a with 64 bits, as published: the hash of nothing but the characters.
  test("never changes, for it is written on objects", () => {
    expect(contentHash({ app: "web", replicas: 3 })).toBe("59ac227b6b6ff564");
    expect(contentHash("ä")).toBe("d269ae17d64ccd63");
  });

  test("differs for values that differ", () => {
    const hashes = Array.from({ length: 20_000 }, (_, index) => contentHash({ name: `web-${index}`, replicas: index }));
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
