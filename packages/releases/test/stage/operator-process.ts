import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { Key } from "@chaski/kube";

export interface ProcessSettings {
  /** A file. */
  readonly kubeconfig: string;
  /** SIGKILL comes with so many writes. */
  readonly dieAfter?: number;
  /** Leads only while it holds this lease. */
  readonly replica?: {
    readonly key: Required<Key>;
    readonly identity: string;
    readonly timings: { readonly leaseMs: number; readonly renewDeadlineMs: number; readonly retryMs: number };
  };
}

const MAIN = join(import.meta.dirname, "operator-main.ts");

export class OperatorProcess implements AsyncDisposable {
  /** The signal that ended it, or its exit code. */
  readonly ended: Promise<NodeJS.Signals | number | null>;
  readonly #child: ChildProcess;

  constructor(settings: ProcessSettings) {
    const child = spawn(process.execPath, [MAIN, JSON.stringify(settings)], { stdio: ["ignore", "ignore", "inherit"] });
    this.#child = child;
    this.ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(signal ?? code)));
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}

/** One after the other, each of which dies after so many writes. */
export class MortalProcesses implements AsyncDisposable {
  readonly #settings: ProcessSettings;
  #current: OperatorProcess;
  #deaths = 0;
  #isOver = false;

  constructor(settings: ProcessSettings) {
    this.#settings = settings;
    this.#current = this.#next();
  }

  get deaths(): number {
    return this.#deaths;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#current.kill();
  }

  #next(): OperatorProcess {
    const operator = new OperatorProcess(this.#settings);
    void operator.ended.then(() => {
      if (this.#isOver) return;
      this.#deaths++;
      this.#current = this.#next();
    });
    return operator;
  }
}
