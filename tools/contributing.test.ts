import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** What stands in backticks and looks like a path of this repository. */
function pathsIn(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const quoted = [...text.matchAll(/`([^`\s]+)`/g)].map(([, code]) => code ?? "");
  return quoted.filter(
    (code) => /^(packages|docs|bench|test|tools|config|charts)\//.test(code) || code === "CHANGELOG.md",
  );
}

test.each(["CONTRIBUTING.md", "README.md"])("every path that %s names exists", (file) => {
  const paths = pathsIn(file);
  expect(paths.length).toBeGreaterThan(3);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});
