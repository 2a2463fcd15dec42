import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generatedFiles } from "./generated-files.ts";

test.each([...generatedFiles()])("%s is what `npm run generate` writes", (path, content) => {
  expect(readFileSync(path, "utf8")).toBe(content);
});
