// `npm test`: type check, lint, every test that needs nothing but Node. `npm run test:real`: the suites on real API
// servers, where nothing may be skipped. The last line counts: `N passed, N failed, N skipped`.
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [mode, ...filters] = process.argv.slice(2);
const isReal = mode === "--real";
const filterArguments = isReal ? filters : process.argv.slice(2);

interface Counts {
  passed: number;
  failed: number;
  readonly skipped: string[];
}

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const counts: Counts = { passed: 0, failed: 0, skipped: [] };
if (!isReal) {
  check("type check", ["tsc", "--noEmit"]);
  check("lint", ["oxlint", "--type-aware", "--deny-warnings"]);
  check("format", ["biome", "format"]);
}
runVitest(isReal ? "real" : "unit");
if (!isReal) reportRealSuites();
for (const reason of counts.skipped) console.log(`skipped: ${reason}`);
if (isReal && counts.skipped.length > 0) console.log("nothing may be skipped here");
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped.length} skipped`);
process.exitCode = counts.failed > 0 || counts.passed === 0 || (isReal && counts.skipped.length > 0) ? 1 : 0;

function check(name: string, [command = "", ...args]: readonly string[]): void {
  const { status } = spawnSync(join("node_modules", ".bin", command), args, { stdio: "inherit" });
  console.log(`${status === 0 ? "✓" : "✗"} ${name}`);
  if (status === 0) counts.passed++;
  else counts.failed++;
}

function runVitest(project: string): void {
  const folder = mkdtempSync(join(tmpdir(), "chaski-test-"));
  const report = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const vitest = join("node_modules", ".bin", "vitest");
  const { status } = spawnSync(vitest, ["run", "--project", project, ...reporters, ...filterArguments], {
    stdio: "inherit",
  });
  try {
    countTests(JSON.parse(readFileSync(report, "utf8")) as VitestReport);
  } catch (error) {
    console.error(`vitest left no report: ${String(error)}`);
  }
  // An error outside every test (an unhandled rejection, a file that can't be loaded) must not pass as green.
  if (status !== 0 && counts.failed === 0) counts.failed++;
  rmSync(folder, { recursive: true });
}

function countTests({ testResults }: VitestReport): void {
  for (const file of testResults) {
    for (const { status, fullName } of file.assertionResults) {
      if (status === "passed") counts.passed++;
      else if (status === "failed") counts.failed++;
      else counts.skipped.push(`${fullName} (${status} in ${file.name})`);
    }
    if (file.assertionResults.length === 0 && file.status === "failed") counts.failed++;
  }
}

function reportRealSuites(): void {
  const suites = globSync("{packages,test,docs}/**/*.real.test.ts", {
    exclude: (name) => name.includes("node_modules"),
  });
  counts.skipped.push(...suites.map((suite) => `${suite}: needs real API servers, run \`npm run test:real\``));
}
