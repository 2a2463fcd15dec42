import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { assetsCache, ensureAssets, findAssets } from "./assets.ts";
import { BINARIES, type Binary } from "./assets-versions.ts";

const run = promisify(execFile);

let folder: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assets-"));
  env = { XDG_CACHE_HOME: join(folder, "cache") };
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(where: string, binaries: readonly string[]): string {
  mkdirSync(where, { recursive: true });
  for (const binary of binaries) writeFileSync(join(where, binary), "");
  return where;
}

async function ensure(needed?: readonly Binary[]): Promise<{ found: string; built: readonly Binary[] }> {
  let built: readonly Binary[] = [];
  const build = async ({ missing }: { missing: readonly Binary[] }): Promise<void> => void (built = missing);
  const found = await ensureAssets({ env, log: () => {}, build, ...(needed ? { needed } : {}) });
  return { found, built };
}

describe("where the binaries come from", () => {
  test("KUBEBUILDER_ASSETS comes before the cache", async () => {
    put(assetsCache(env), BINARIES);
    env["KUBEBUILDER_ASSETS"] = put(join(folder, "given"), BINARIES);
    expect(await ensure()).toEqual({ found: join(folder, "given"), built: [] });
  });

  test("the cache comes before a build", async () => {
    put(assetsCache(env), BINARIES);
    expect(await ensure()).toEqual({ found: assetsCache(env), built: [] });
  });

  test("what the cache lacks is built, and nothing else", async () => {
    put(assetsCache(env), ["etcd", "kube-apiserver", "kubectl"]);
    expect(await ensure()).toEqual({
      found: assetsCache(env),
      built: ["kube-controller-manager", "kube-scheduler", "kwok"],
    });
  });

  test("only what is needed is built", async () => {
    expect(await ensure(["etcd", "kube-apiserver"])).toMatchObject({ built: ["etcd", "kube-apiserver"] });
  });

  test("without a build there is nothing to be found", () => {
    expect(findAssets(env)).toBeUndefined();
  });
});

describe("KUBEBUILDER_ASSETS as Go's envtest ships it", () => {
  beforeEach(() => {
    env["KUBEBUILDER_ASSETS"] = put(join(folder, "envtest"), ["etcd", "kube-apiserver", "kubectl"]);
  });

  test("is enough for what needs no more", async () => {
    expect(await ensure(["etcd", "kube-apiserver"])).toEqual({ found: join(folder, "envtest"), built: [] });
  });

  test("is refused by name of what is lacking, and never completed by a build", async () => {
    await expect(ensure(["etcd", "kwok"])).rejects.toThrow(/envtest, which lacks kwok$/);
  });
});

test("the last line that kube:assets prints is the folder", async () => {
  const given = put(join(folder, "given"), ["etcd", "kube-apiserver"]);
  const main = fileURLToPath(new URL("assets-main.ts", import.meta.url));
  const { stdout, stderr } = await run(process.execPath, [main], { env: { ...env, KUBEBUILDER_ASSETS: given } });
  expect(stdout.trimEnd().split("\n").at(-1)).toBe(given);
  expect(stderr).toContain("lacks kube-controller-manager, kube-scheduler, kubectl, kwok");
});
