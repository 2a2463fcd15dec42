// Where the real Kubernetes binaries come from: KUBEBUILDER_ASSETS, else a cached build, else a build from Go modules.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { buildAssets } from "./assets-build.ts";
import { BINARIES, type Binary, ETCD_VERSION, KUBERNETES_VERSION, KWOK_VERSION } from "./assets-versions.ts";

/** The folder that binaries of these versions are cached in; outside the checkout, so that clones share it. */
export function assetsCache(env: NodeJS.ProcessEnv): string {
  const cache = env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return join(cache, "chaski", `kubernetes-${KUBERNETES_VERSION}-etcd-${ETCD_VERSION}-kwok-${KWOK_VERSION}`);
}

/** The folder if it can be had without building, else undefined. */
export function findAssets(env: NodeJS.ProcessEnv): string | undefined {
  const given = env["KUBEBUILDER_ASSETS"];
  if (given) {
    const lacking = missingFrom(given);
    if (lacking.length > 0) throw new Error(`KUBEBUILDER_ASSETS is ${given}, which lacks ${lacking.join(", ")}`);
    return given;
  }
  const cached = assetsCache(env);
  return missingFrom(cached).length === 0 ? cached : undefined;
}

export async function ensureAssets(env: NodeJS.ProcessEnv, log: (line: string) => void): Promise<string> {
  const found = findAssets(env);
  if (found) return found;
  const folder = assetsCache(env);
  await buildAssets({ folder, missing: missingFrom(folder), log });
  return folder;
}

function missingFrom(folder: string): Binary[] {
  return BINARIES.filter((binary) => !existsSync(join(folder, binary)));
}
