// `chaski apiserver` in a process of its own: from the sources, or as `npm run build` bundles it.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { LoadClient } from "./client.ts";
import { HttpsClient } from "./https-client.ts";

export interface MeasuredServer {
  readonly client: LoadClient;
  readonly startSeconds: number;
  megabytes(): Promise<number>;
  stop(): Promise<void>;
}

const ROOT = join(import.meta.dirname, "../..");

export const FROM_SOURCES = join(ROOT, "packages/cli/bin/chaski.mjs");

/** Bundles the CLI into a folder that is gone after the run. */
export async function withBundle<T>(run: (program: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "chaski-bench-"));
  try {
    execFileSync(process.execPath, [join(ROOT, "tools/build.ts"), "--out", folder], { stdio: "pipe" });
    return await run(join(folder, "chaski.mjs"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Started when `/readyz` has answered with 200. */
export async function startEmbedded(program: string): Promise<MeasuredServer> {
  const folder = mkdtempSync(join(tmpdir(), "chaski-bench-"));
  const file = join(folder, "kubeconfig");
  const startMs = performance.now();
  const child = spawn(process.execPath, [program, "apiserver", "--kubeconfig", file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await firstLine(child);
  const client = clientOf(readFileSync(file, "utf8"));
  const { status } = await client.send({ method: "GET", path: "/readyz" });
  const startSeconds = (performance.now() - startMs) / 1_000;
  if (status !== 200) throw new Error(`/readyz answered with ${status}`);
  return {
    client,
    startSeconds,
    megabytes: () => residentMegabytes([child.pid ?? 0]),
    stop: async () => {
      await client.close();
      await ended(child);
      rmSync(folder, { recursive: true });
    },
  };
}

function clientOf(kubeconfig: string): LoadClient {
  const { clusters, users } = JSON.parse(kubeconfig) as {
    readonly clusters: [{ readonly cluster: { readonly server: string; "certificate-authority-data": string } }];
    readonly users: [{ readonly user: { readonly token: string } }];
  };
  const [{ cluster }] = clusters;
  const ca = Buffer.from(cluster["certificate-authority-data"], "base64").toString();
  return new HttpsClient(cluster.server, { ca, token: users[0].user.token });
}

/** From spawn until a script that does nothing else has said a word. */
export async function nodeStartSeconds(): Promise<number> {
  const startMs = performance.now();
  const child = spawn(process.execPath, ["--eval", "console.log()"], { stdio: ["ignore", "pipe", "inherit"] });
  await firstLine(child);
  return (performance.now() - startMs) / 1_000;
}

export async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error("the server has no output");
  for await (const line of createInterface(stdout)) return line;
  throw new Error("the server ended before it was ready");
}

export async function ended(child: ChildProcess): Promise<void> {
  const end = new Promise((resolve) => child.once("exit", resolve));
  child.kill();
  await end;
}

export async function residentMegabytes(pids: readonly number[]): Promise<number> {
  const sizes = await Promise.all(
    pids.map(async (pid) => Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0)),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1_024;
}
