// A terminal as the pages suppose it: in a checkout, with `chaski`, `npx` and, where there is one, `kubectl`.
import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { RealClock } from "@chaski/clock";

/** What is not over by then is killed, and fails by its code. */
const DEADLINE_MS = 60_000;

export interface ShellOptions {
  /** By name; the kubeconfig in use is `delivery.yaml`. */
  readonly files: Readonly<Record<string, string>>;
  /** Kubernetes' binaries, where there are any. */
  readonly assets: string | undefined;
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

export class Shell implements AsyncDisposable {
  readonly folder: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #running: Job[] = [];

  private constructor(folder: string, assets: string | undefined) {
    this.folder = folder;
    const programs = [join(folder, "bin"), join(process.cwd(), "node_modules/.bin"), dirname(process.execPath)];
    this.#environment = {
      PATH: [...programs, process.env["PATH"]].join(":"),
      HOME: join(folder, "home"),
      KUBECONFIG: join(folder, "delivery.yaml"),
      HEALTH_PORT: "0",
      ...(assets === undefined ? {} : { KUBEBUILDER_ASSETS: assets }),
    };
  }

  static async open({ files, assets }: ShellOptions): Promise<Shell> {
    const folder = await mkdtemp(join(tmpdir(), "chaski-docs-"));
    await mkdir(join(folder, "bin"));
    await mkdir(join(folder, "home"));
    for (const name of await readdir(".")) await symlink(join(process.cwd(), name), join(folder, name));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 });
    // What the real one does once it is started, without its second.
    await writeFile(join(folder, "bin/npx"), '#!/bin/sh\nexec "$@"\n');
    await chmod(join(folder, "bin/npx"), 0o755);
    if (assets !== undefined) await symlink(join(assets, "kubectl"), join(folder, "bin/kubectl"));
    return new Shell(folder, assets);
  }

  /** As far as its end. */
  run(command: string): Promise<Ended> {
    return this.#start(command).inTime();
  }

  /** Until it has said something; it goes on until the shell is closed. */
  async background(command: string, until: RegExp): Promise<Ended> {
    return this.#start(command.replace(/ *&$/, "")).said(until);
  }

  /** Until it has said something; then Ctrl-C. */
  async interrupt(command: string, until: RegExp): Promise<Ended> {
    const job = this.#start(command);
    const ended = job.inTime();
    await job.said(until);
    job.signal("SIGINT");
    return ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const job of this.#running) job.signal("SIGTERM");
    await Promise.all(this.#running.map(({ ended }) => ended));
    await rm(this.folder, { recursive: true });
  }

  #start(command: string): Job {
    // `npm run` looks for the checkout where it is, not where a link points.
    const cwd = command.startsWith("npm ") ? process.cwd() : this.folder;
    const job = new Job(
      spawn("bash", ["-o", "pipefail", "-c", command], { cwd, env: this.#environment, detached: true }),
    );
    this.#running.push(job);
    return job;
  }
}

class Job {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  readonly #listeners = new Set<() => void>();
  #output = "";

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdin?.end();
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text) => this.#hear(text));
    this.ended = new Promise((resolve, reject) => {
      child.on("error", reject).on("close", (code) => resolve({ code, output: this.#output }));
    });
  }

  async inTime(): Promise<Ended> {
    const over = new AbortController();
    const kill = (): void => this.signal("SIGKILL");
    void new RealClock().sleep(DEADLINE_MS, over.signal).then(kill, () => {});
    return this.ended.finally(() => over.abort());
  }

  /** Or ended, which is then told by its code. */
  async said(what: RegExp): Promise<Ended> {
    const heard = new Promise<Ended>((resolve) => {
      const look = (): void => {
        if (what.test(this.#output)) resolve({ code: 0, output: this.#output });
      };
      this.#listeners.add(look);
      look();
    });
    return Promise.race([heard, this.ended]);
  }

  /** To the whole pipeline. */
  signal(name: NodeJS.Signals): void {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, name);
  }

  #hear(text: string): void {
    this.#output += text;
    for (const look of this.#listeners) look();
  }
}
