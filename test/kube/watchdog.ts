// Ends what a test process has started when that process is gone, however it went: a tiny process of its own session
// reads a pipe whose other end only the owner holds. When the pipe closes, it kills every process that has a file in
// `pids/` and removes the folder.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SCRIPT = `
cat >/dev/null
for file in "$1"/pids/*; do [ -f "$file" ] && kill -9 "$(cat "$file")"; done
for attempt in 1 2 3 4 5; do rm -rf "$1" && exit; sleep 0.2; done
`;

export class Watchdog {
  readonly #folder: string;
  readonly #process: ChildProcess;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(join(folder, "pids"), { recursive: true });
    this.#process = spawn("sh", ["-c", SCRIPT, "watchdog", folder], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    // The owner may end without stopping its control plane; neither process nor pipe keeps it alive.
    this.#process.unref();
    const { stdin } = this.#process;
    if (stdin && "unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  }

  guard(name: string, pid: number): void {
    writeFileSync(join(this.#folder, "pids", name), String(pid));
  }

  release(name: string): void {
    rmSync(join(this.#folder, "pids", name), { force: true });
  }

  /** Lets it clean up now. */
  async finish(): Promise<void> {
    const isOver = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.ref();
    this.#process.stdin?.end();
    if (this.#process.exitCode === null && this.#process.signalCode === null) await isOver;
  }
}
