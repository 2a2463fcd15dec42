// Where the real Kubernetes binaries come from: KUBEBUILDER_ASSETS, else a cached build, else a build from Go modules.
// A folder in KUBEBUILDER_ASSETS needs to hold only what is used; Go's envtest ships no controllers and no KWOK.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type BuildOptions, buildAssets } from "./assets-build.ts";
import { BINARIES, type Binary, ETCD_VERSION, KUBERNETES_VERSION, KWOK_VERSION } from "./assets-versions.ts";

/** The folder that binaries of these versions are cached in. */
export function assetsCache(env: NodeJS.ProcessEnv): string {
  return cacheFolder(env, `kubernetes-${KUBERNETES_VERSION}-etcd-${ETCD_VERSION}-kwok-${KWOK_VERSION}`);
}

/** For what is built once; outside the checkout, so that clones share it. */
export function cacheFolder(env: NodeJS.ProcessEnv, name: string): string {
  const cache = env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return join(cache, "chaski", name);
}

/** The folder if it can be had without building, else undefined. */
export function findAssets(env: NodeJS.ProcessEnv, needed: readonly Binary[] = BINARIES): string | undefined {
  const given = env["KUBEBUILDER_ASSETS"];
  if (given) {
    const lacking = missingFrom(given, needed);
    if (lacking.length > 0) throw new Error(`KUBEBUILDER_ASSETS is ${given}, which lacks ${lacking.join(", ")}`);
    return given;
  }
  const cached = assetsCache(env);
  return missingFrom(cached, needed).length === 0 ? cached : undefined;
}

export interface AssetsRequest {
  readonly env: NodeJS.ProcessEnv;
  readonly needed?: readonly Binary[];
  readonly log: (line: string) => void;
  readonly build?: (options: BuildOptions) => Promise<void>;
}

export async function ensureAssets(request: AssetsRequest): Promise<string> {
  const { env, needed = BINARIES, log, build = buildAssets } = request;
  const found = findAssets(env, needed);
  if (found) return found;
  const folder = assetsCache(env);
  await build({ folder, missing: missingFrom(folder, needed), log });
  return folder;
}

export function missingFrom(folder: string, needed: readonly Binary[] = BINARIES): Binary[] {
  return needed.filter((binary) => !existsSync(join(folder, binary)));
}
