import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VERSION } from "@chaski/operator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "chaski-build-test-"));

describe("the packed CLI", () => {
  beforeAll(() => {
    const built = run(process.execPath, ["tools/build.ts", "--pack", "--out", join(folder, "dist")], process.cwd());
    run("npm", ["install", "--offline", "--silent", "--no-fund", "--prefix", folder, built]);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(["chaski", "kubectl-chaski"])("installs in an empty folder as %s", (name) => {
    expect(run(join(folder, "node_modules/.bin", name), ["--version"])).toBe(VERSION);
  });

  test("shows a whole release from there", () => {
    const shown = run(join(folder, "node_modules/.bin/chaski"), ["up", "--once"]);
    expect(shown).toContain("a release, a roll-back and a canary: all as promised");
  }, 600_000);

  test("brings the licences of what it holds", () => {
    expect(run("cat", [join(folder, "node_modules/chaski/THIRD-PARTY-LICENSES")])).toMatch(/^undici .*: MIT/m);
  });
});

/** What it printed; if it failed, all of that says why. */
function run(program: string, args: readonly string[], cwd = folder): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ended with ${status}\n${stdout}\n${stderr}`, { cause: error });
  return stdout.trim();
}
