// `chaski up` as a process, for as long as somebody looks on.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { runCommand } from "./stage.ts";

const PROGRAM = join(import.meta.dirname, "../bin/chaski.mjs");

test("without its demo it is a fleet for kubectl and every command, until Ctrl-C", { timeout: 60_000 }, async () => {
  const child = spawn(process.execPath, [PROGRAM, "up", "--no-demo", "--clusters", "2"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  try {
    const kubeconfig = (await firstLine(child.stdout)).replace("export KUBECONFIG=", "");
    const [code, output] = await runCommand(["clusters", "status", "--kubeconfig", kubeconfig]);
    expect([code, output]).toEqual([0, expect.stringMatching(/^cusco +production .*\nlima +production /m)]);
    expect(await runCommand(["list", "--kubeconfig", kubeconfig])).toEqual([0, expect.stringContaining("no releases")]);
  } finally {
    child.kill("SIGINT");
  }
  expect(await ended).toBe(0);
});

async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(stream)) return line;
  throw new Error("it ended before it was ready");
}
