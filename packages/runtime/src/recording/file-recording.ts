import { appendFile, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Fifo } from "../queue/fifo.ts";
import type { Recording } from "./recorded-pass.ts";

export interface FileRecordingOptions {
  readonly directory: string;
  /** Of all files together; beyond it the oldest file goes. */
  readonly bytesMax?: number;
  /** Called when writing begins to fail, not for every line that is lost. */
  onError?(error: unknown): void;
}

const FILES_MAX = 4;
const BYTES_MAX = 256 * 2 ** 20;
/** What waits for a slow disk; beyond it lines are lost rather than passes delayed. */
const WAITING_MAX = 10_000;

/** NDJSON files `passes-N.ndjson` in a directory. */
export class FileRecording implements Recording {
  readonly #options: FileRecordingOptions;
  readonly #waiting = new Fifo<string>();
  #writing: Promise<void> | undefined;
  #fileNumber = 0;
  #fileBytes = 0;
  #isFailing = false;

  constructor(options: FileRecordingOptions) {
    this.#options = options;
  }

  write(_owner: string, line: string): void {
    if (this.#waiting.length >= WAITING_MAX) return;
    this.#waiting.push(`${line}\n`);
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when everything given so far is in a file. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    try {
      await mkdir(this.#options.directory, { recursive: true });
      for (let line = this.#waiting.shift(); line; line = this.#waiting.shift()) await this.#append(line);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#options.onError?.(error);
      this.#isFailing = true;
    } finally {
      this.#writing = undefined;
    }
  }

  async #append(line: string): Promise<void> {
    const bytes = Buffer.byteLength(line);
    // A file of an earlier process is never written on: its last line may have been cut.
    if (this.#fileNumber === 0 || this.#fileBytes + bytes > this.#bytesMax / FILES_MAX) await this.#rotate();
    await appendFile(this.#path(this.#fileNumber), line);
    this.#fileBytes += bytes;
  }

  get #bytesMax(): number {
    return this.#options.bytesMax ?? BYTES_MAX;
  }

  /** Begins the next file, and makes room for it among all that are there. */
  async #rotate(): Promise<void> {
    const files = await this.#files();
    this.#fileNumber = (files[0]?.number ?? 0) + 1;
    this.#fileBytes = 0;
    let left = this.#bytesMax - this.#bytesMax / FILES_MAX;
    for (const { number, bytes } of files) {
      left -= bytes;
      if (left < 0) await rm(this.#path(number), { force: true });
    }
  }

  /** The newest first. */
  async #files(): Promise<readonly { readonly number: number; readonly bytes: number }[]> {
    const names = await readdir(this.#options.directory);
    const numbers = names.flatMap((name) => Number(/^passes-(\d+)\.ndjson$/.exec(name)?.[1] ?? []));
    const files = numbers.map(async (number) => ({ number, bytes: (await stat(this.#path(number))).size }));
    return (await Promise.all(files)).toSorted((a, b) => b.number - a.number);
  }

  #path(fileNumber: number): string {
    return join(this.#options.directory, `passes-${fileNumber}.ndjson`);
  }
}
