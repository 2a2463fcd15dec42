import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, globSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { startControlPlane, until } from "./index.ts";

interface Report {
  readonly folder: string;
  readonly logs: string;
  readonly pids: readonly number[];
}

/** A process that starts a control plane, tells about it, and never stops it. */
async function startOwner(): Promise<{ owner: ChildProcess; report: Report }> {
  const program = fileURLToPath(new URL("teardown-owner.ts", import.meta.url));
  const owner = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  owner.stdout?.setEncoding("utf8").on("data", (text: string) => (output += text));
  const line = await until(() => (output.includes("\n") ? output : undefined), {
    what: "the owner has started its control plane",
    withinMs: 60_000,
  });
  return { owner, report: JSON.parse(line) as Report };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const leftLogs: string[] = [];
afterEach(() => {
  for (const logs of leftLogs.splice(0)) rmSync(logs, { recursive: true, force: true });
});

test.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
  "after %s to the process that started it, nothing of a control plane is left but its logs",
  async (signal) => {
    const { owner, report } = await startOwner();
    leftLogs.push(report.logs);
    expect(report.pids.filter(isAlive)).toHaveLength(2);
    owner.kill(signal);
    const isGone = (): true | undefined =>
      (report.pids.every((pid) => !isAlive(pid)) && !existsSync(report.folder)) || undefined;
    await until(isGone, { what: "processes and folder are gone", withinMs: 10_000 });
    expect(existsSync(report.logs)).toBe(true);
  },
);

test("after stop nothing is left, logs included", async () => {
  const plane = await startControlPlane({ name: "stopped" });
  const { pid } = plane.part("kube-apiserver");
  await plane.stop();
  expect([isAlive(pid ?? 0), existsSync(plane.coordinates.folder), existsSync(plane.logs)]).toEqual([
    false,
    false,
    false,
  ]);
});

test("an API server that can't start is told with the end of its log, and nothing is left running", async () => {
  const error = await startControlPlane({ name: "broken", apiServerFlags: ["--no-such-flag"] }).catch(String);
  leftLogs.push(...globSync(fileURLToPath(new URL("../../.test-logs/broken-*", import.meta.url))));
  expect(leftLogs).toHaveLength(1);
  expect(error).toMatch(/kube-apiserver has ended:[\s\S]*unknown flag: --no-such-flag/);
});

test("a port that somebody else has got is not a reason to fail", async () => {
  const plane = await startControlPlane({ name: "usurped" });
  await plane.kill("kube-apiserver");
  leftLogs.push(plane.logs);
  const usurper = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => usurper.listen(Number(new URL(plane.server).port), "127.0.0.1", resolve));
  const restarted = plane.restart("kube-apiserver");
  await until(() => (plane.part("kube-apiserver").tail().includes("address already in use") ? true : undefined), {
    what: "the API server meets the usurper",
  });
  await new Promise((resolve) => usurper.close(resolve));
  await restarted;
  await plane.stop();
});
