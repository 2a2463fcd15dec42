// A process under measurement: it says JSON lines, hears words, and is weighed from outside by the kernel's own books.
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";

const TICKS_PER_SECOND = 100;
const SILENCE_MS_MAX = 1_200_000;

export interface MeasuredOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** An open file that takes all that it says; then nothing is heard here. */
  readonly log?: number;
}

export class MeasuredProcess {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #name: string;

  constructor(command: string, args: readonly string[], options: MeasuredOptions = {}) {
    const { env = process.env, log } = options;
    this.#name = [command.split("/").at(-1), ...args.slice(0, 1)].join(" ");
    this.#process = spawn(command, args, { env, stdio: ["pipe", log ?? "pipe", log ?? "inherit"] });
    this.#lines = createInterface({ input: this.#process.stdout ?? Readable.from([]) })[Symbol.asyncIterator]();
  }

  /** The next line it says. */
  async hear<T>(): Promise<T> {
    const silence = Promise.withResolvers<never>();
    const timer = setTimeout(() => silence.reject(new Error(`${this.#name} said nothing for long`)), SILENCE_MS_MAX);
    try {
      const { value, done } = await Promise.race([this.#lines.next(), silence.promise]);
      if (done) throw new Error(`${this.#name} has ended early`);
      return JSON.parse(value) as T;
    } finally {
      clearTimeout(timer);
    }
  }

  say(word: string): void {
    this.#process.stdin?.write(`${word}\n`);
  }

  closeInput(): void {
    this.#process.stdin?.end();
  }

  async ask<T = unknown>(word: string): Promise<T> {
    this.say(word);
    return this.hear<T>();
  }

  /** User and system time since its start. */
  cpuSeconds(): number {
    const stat = readFileSync(`/proc/${this.#process.pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  }

  rssMb(): number {
    return this.#memoryMb("VmRSS");
  }

  peakRssMb(): number {
    return this.#memoryMb("VmHWM");
  }

  /** How many it has open. */
  sockets(): number {
    const folder = `/proc/${this.#process.pid}/fd`;
    return readdirSync(folder).filter((file) => isSocket(`${folder}/${file}`)).length;
  }

  #memoryMb(field: string): number {
    const status = readFileSync(`/proc/${this.#process.pid}/status`, "utf8");
    return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  }

  /** Its exit code, when it has ended by itself. */
  async exited(): Promise<number | null> {
    if (this.#process.exitCode !== null) return this.#process.exitCode;
    return new Promise((resolve) => this.#process.once("exit", resolve));
  }

  async end(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const isOver = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill("SIGKILL");
    await isOver;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}

function isSocket(file: string): boolean {
  try {
    return readlinkSync(file).startsWith("socket:");
  } catch {
    // It was closed meanwhile.
    return false;
  }
}
