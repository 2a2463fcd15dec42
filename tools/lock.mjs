// `npm run lock`: writes package-lock.json anew, for every platform. npm leaves out optional packages that it can't
// see at the moment (another platform's binary, missing from a partial mirror), and `npm ci` then refuses the lock.
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const SYSTEMS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const PROCESSORS = ["arm64", "arm", "x64", "ia32", "ppc64", "riscv64", "s390x", "wasm32", "loong64", "mips64el"];

const folder = mkdtempSync(join(tmpdir(), "chaski-lock-"));
for (const file of ["package.json", ".npmrc", ...globSync("{packages/*,test,bench}/package.json")]) {
  cpSync(file, join(folder, file), { recursive: true });
}
const install = ["install", "--package-lock-only", "--ignore-scripts", "--loglevel=error"];
const { status } = spawnSync("npm", install, { cwd: folder, stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
const lock = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
rmSync(folder, { recursive: true });
completeOptionals(lock.packages);
lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);

function completeOptionals(packages) {
  for (const [path, { optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (isLocked(packages, path, name)) continue;
      packages[`node_modules/${name}`] = { version, ...platformOf(name), dev: true, optional: true };
    }
  }
}

function isLocked(packages, path, name) {
  for (let at = path; ; at = dirname(at)) {
    if (packages[join(at, "node_modules", name)]) return true;
    if (at === "" || at === ".") return packages[`node_modules/${name}`] !== undefined;
  }
}

/** From the name, as these packages are named: `…/binding-linux-arm64-gnu`. */
function platformOf(name) {
  const words = name.split(/[-/]/);
  const system = SYSTEMS.find((word) => words.includes(word));
  const processor = PROCESSORS.find((word) => words.some((part) => part.startsWith(word)));
  return { ...(system && { os: [system] }), ...(processor && { cpu: [processor] }) };
}
