// Runs before every npm script, on whatever Node the machine has: installs the locked dependencies
// (a current Node among them) when they are missing or older than the lock file.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const installed = `${root}node_modules/.package-lock.json`;
const isCurrent = existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${root}package-lock.json`).mtimeMs;

if (!isCurrent) {
  console.error("Installing the locked dependencies (npm ci) …");
  const { status } = spawnSync("npm", ["ci", "--no-fund", "--no-audit", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  process.exit(status ?? 1);
}
