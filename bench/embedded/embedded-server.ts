import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { LoadClient } from "./client.ts";
import { HttpsClient } from "./https-client.ts";

export interface MeasuredServer {
  readonly client: LoadClient;
  readonly startSeconds: number;
  megabytes(): Promise<number>;
  stop(): Promise<void>;
}

const SERVE = fileURLToPath(new URL("./serve.ts", import.meta.url));

export async function startEmbedded(): Promise<MeasuredServer> {
  const startMs = performance.now();
  const child = spawn(process.execPath, ["--no-warnings", SERVE], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await firstLine(child);
  const startSeconds = (performance.now() - startMs) / 1_000;
  const { url, ca, token } = JSON.parse(line) as { url: string; ca: string; token: string };
  const client = new HttpsClient(url, { ca, token });
  return {
    client,
    startSeconds,
    megabytes: () => residentMegabytes([child.pid ?? 0]),
    stop: async () => {
      await client.close();
      child.kill();
    },
  };
}

async function firstLine({ stdout }: ChildProcess): Promise<[string]> {
  if (!stdout) throw new Error("the server has no output");
  for await (const line of createInterface(stdout)) return [line];
  throw new Error("the server ended before it was ready");
}

export async function residentMegabytes(pids: readonly number[]): Promise<number> {
  const sizes = await Promise.all(
    pids.map(async (pid) => Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0)),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1_024;
}
