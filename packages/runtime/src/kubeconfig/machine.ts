import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import type { Clock } from "@chaski/clock";

/** What a kubeconfig of this machine may use. One that arrives as data (in a Secret) is given none of it. */
export interface Machine {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readFile(path: string): Promise<Buffer>;
  /** Runs a program without a shell and without a terminal; resolves with what it printed. */
  run(command: string, args: readonly string[], options: RunOptions): Promise<string>;
}

export interface RunOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

const OUTPUT_MAX_BYTES = 1024 * 1024;

export function thisMachine(clock: Clock, env: Machine["env"] = process.env): Machine {
  return { clock, env, home: env["HOME"] ?? homedir(), readFile: (path) => readFile(path), run: runProgram };
}

function runProgram(command: string, args: readonly string[], { env, signal }: RunOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env, signal, maxBuffer: OUTPUT_MAX_BYTES, killSignal: "SIGKILL", encoding: "utf8" } as const;
    const child = execFile(command, [...args], options, (error, stdout) => (error ? reject(error) : resolve(stdout)));
    child.stdin?.end();
  });
}
