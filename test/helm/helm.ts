// Helm as users run it, built once from its own Go module.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildModule, cacheFolder, keepGoMod } from "@chaski/test/kube";

const MODULE = "helm.sh/helm/v3";
const VERSION = "v3.22.0";

/** Its path; built on first use. */
export async function ensureHelm(): Promise<string> {
  const folder = cacheFolder(process.env, `helm-${VERSION}`);
  const path = join(folder, "helm");
  const module = {
    path: MODULE,
    version: VERSION,
    binaries: { helm: `${MODULE}/cmd/helm` },
    ldflags: [`-X ${MODULE}/internal/version.version=${VERSION}`],
    adaptGoMod: keepGoMod,
  };
  if (!existsSync(path)) await buildModule(module, { folder, log: (line) => console.error(line) });
  return path;
}

export function helm(path: string, ...args: readonly string[]): string {
  return execFileSync(path, args, { encoding: "utf8", stdio: "pipe" });
}
