import { expect, test } from "vitest";
import { collectionDue } from "./quiet-collection.ts";

const MB = 2 ** 20;

test.each([
  { name: "little garbage is left where it is", youngBytes: 100_000, oldBytes: 20 * MB, due: undefined },
  { name: "what was made since is young, and soon collected", youngBytes: MB, oldBytes: 20 * MB, due: "minor" },
  { name: "a heap that has grown half as far as V8 would let it", youngBytes: 0, oldBytes: 22 * MB, due: "major" },
  { name: "a large heap is left to V8, which marks it bit by bit", youngBytes: MB, oldBytes: 64 * MB, due: "minor" },
] as const)("$name", ({ youngBytes, oldBytes, due }) => {
  expect(collectionDue({ youngBytes, oldBytes }, 20 * MB)).toBe(due);
});
