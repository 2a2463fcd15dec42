// Every defect of the spec's §15 that needs API servers or other I/O has a test named after it.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** D-03 is about notifiers, which do not exist yet. */
const NEED_IO = [1, 14, 16, 19, 35, 36, 38, 39, 40, 47, 52, 54, 57, 63, 67, 70, 71, 75, 76, 85];
const PACKAGES = join(import.meta.dirname, "../..");

test("each defect that needs I/O is the name of a test", () => {
  const files = globSync("*/{src,test}/**/*{.test,-suite}.ts", { cwd: PACKAGES });
  const text = files.map((file) => readFileSync(join(PACKAGES, file), "utf8")).join("\n");
  const named = new Set(
    [...text.matchAll(/(?:test|describe)\(\s*"[^"]*D-(\d\d)\b/g)].map(([, number]) => Number(number)),
  );
  expect(NEED_IO.filter((number) => !named.has(number))).toEqual([]);
});
