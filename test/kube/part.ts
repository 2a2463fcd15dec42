// One process of a control plane: started with its flags, logged to a file, killed, paused and started again.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { until } from "./until.ts";
import type { Watchdog } from "./watchdog.ts";

export interface PartDefinition {
  readonly name: string;
  readonly command: string;
  readonly flags: readonly string[];
  /** Its working folder. */
  readonly folder: string;
  readonly logFile: string;
  /** As `nice` counts it: with more of it, it leaves the cores to others. */
  readonly niceness?: number;
}

export class Part {
  readonly definition: PartDefinition;
  readonly #watchdog: Watchdog;
  #process: ChildProcess | undefined;
  #hasFailed = false;

  constructor(definition: PartDefinition, watchdog: Watchdog) {
    this.definition = definition;
    this.#watchdog = watchdog;
  }

  get pid(): number | undefined {
    return this.isRunning ? this.#process?.pid : undefined;
  }

  get isRunning(): boolean {
    return this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Whether it ever ended without having been asked to. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  start(): void {
    if (this.isRunning) throw new Error(`${this.definition.name} is running already`);
    const { name, command, flags, folder, logFile, niceness } = this.definition;
    const log = openSync(logFile, "a");
    // It replaces itself by the command, so the process is the same.
    const nice = niceness === undefined ? [] : ["nice", "-n", String(niceness)];
    const [program = command, ...args] = [...nice, command, ...flags];
    const child = spawn(program, args, {
      cwd: folder,
      stdio: ["ignore", log, log],
      env: { PATH: process.env["PATH"], HOME: folder },
    });
    closeSync(log);
    if (child.pid === undefined) throw new Error(`${command} can't be started`);
    child.on("error", () => {});
    child.on("exit", (code, signal) => {
      if (this.#process === child) this.#watchdog.release(name);
      if (signal !== "SIGKILL") this.#hasFailed ||= code !== 0;
    });
    // A test that forgets to stop must still be able to end; the watchdog does the rest.
    child.unref();
    this.#process = child;
    this.#watchdog.guard(name, child.pid);
  }

  /** SIGKILL: asked nicely, an API server waits for its watchers for a minute. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child || !this.isRunning) return;
    const isOver = new Promise((resolve) => child.once("exit", resolve));
    child.ref();
    child.kill("SIGKILL");
    await isOver;
  }

  /** Resolves when none of its threads runs: what the signal stops may answer one more request before. */
  async pause(): Promise<void> {
    this.#process?.kill("SIGSTOP");
    await until(() => this.#isStopped() || undefined, { what: `${this.definition.name} is paused`, everyMs: 5 });
  }

  resume(): void {
    this.#process?.kill("SIGCONT");
  }

  #isStopped(): boolean {
    const folder = `/proc/${this.pid}/task`;
    try {
      return readdirSync(folder).every((thread) => /\) T /.test(readFileSync(`${folder}/${thread}/stat`, "utf8")));
    } catch {
      // A thread that ended meanwhile was still running.
      return false;
    }
  }

  /** The end of its log, for messages. */
  tail(lines = 15): string {
    return readFileSync(this.definition.logFile, "utf8").trimEnd().split("\n").slice(-lines).join("\n");
  }
}
