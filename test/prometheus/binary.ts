// Prometheus as Debian ships it, unpacked without being installed.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder } from "../kube/assets.ts";

const run = promisify(execFile);

/** The program's path: PROMETHEUS_BINARY, or the cached one, downloaded if need be. */
export async function prometheusBinary(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const given = env["PROMETHEUS_BINARY"];
  if (given) return given;
  const folder = cacheFolder(env, "prometheus-debian");
  const binary = join(folder, "usr/bin/prometheus");
  if (!existsSync(binary)) await unpack(folder);
  return binary;
}

async function unpack(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    await run("apt-get", ["download", "prometheus"], { cwd: unfinished });
    const [archive] = (await readdir(unfinished)).filter((file) => file.endsWith(".deb"));
    if (archive === undefined) throw new Error("apt-get has downloaded no package");
    await run("dpkg-deb", ["-x", archive, "."], { cwd: unfinished });
    await rename(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
