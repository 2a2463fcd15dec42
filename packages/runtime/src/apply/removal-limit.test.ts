import { expect, test } from "vitest";
import { isMassRemoval } from "./removal-limit.ts";

test.each([
  { removals: 0, owned: 0, isMass: false },
  { removals: 3, owned: 3, isMass: false },
  { removals: 4, owned: 4, isMass: true },
  { removals: 4, owned: 7, isMass: true },
  { removals: 4, owned: 8, isMass: false },
  { removals: 50, owned: 101, isMass: false },
  { removals: 51, owned: 101, isMass: true },
])("$removals of $owned at once is a mass removal: $isMass", ({ removals, owned, isMass }) => {
  expect(isMassRemoval(removals, owned)).toBe(isMass);
});
