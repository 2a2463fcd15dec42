import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ensureAssets } from "@chaski/test/kube";
import { afterAll, beforeAll, expect, test } from "vitest";

const PROGRAM = join(import.meta.dirname, "../bin/chaski.mjs");
const folder = mkdtempSync(join(tmpdir(), "chaski-apiserver-"));
const kubeconfig = join(folder, "kubeconfig");
let server: ChildProcess;
let printed: string;

beforeAll(async () => {
  server = spawn(process.execPath, [PROGRAM, "apiserver", "--kubeconfig", kubeconfig], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  printed = await firstLine(server);
});

afterAll(async () => {
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill();
  await ended;
  rmSync(folder, { recursive: true });
});

test("says where it serves, and how to get there", () => {
  expect(printed).toMatch(/^serving https:\/\/127\.0\.0\.1:\d+; kubectl --kubeconfig .* talks to it$/);
});

test("kubectl works with what it wrote", async () => {
  const assets = await ensureAssets({ env: process.env, needed: ["kubectl"], log: console.error });
  const run = (...args: string[]): string =>
    execFileSync(join(assets, "kubectl"), ["--kubeconfig", kubeconfig, ...args], { encoding: "utf8" });
  run("create", "configmap", "settings", "--from-literal=color=red");
  expect(run("get", "configmap", "settings", "--output", "jsonpath={.data.color}")).toBe("red");
  expect(run("get", "--raw", "/readyz")).toBe("ok");
});

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout) for await (const line of createInterface(stdout)) return line;
  throw new Error("the server ended before it was ready");
}
