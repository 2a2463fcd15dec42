import { appendFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Fifo } from "../queue/fifo.ts";
import type { Recording } from "./recorded-pass.ts";

export interface FileRecordingOptions {
  readonly directory: string;
  /** Of all files together; beyond it the oldest file goes. */
  readonly bytesMax?: number;
  onError?(error: unknown): void;
}

export const FILES_MAX = 4;
export const BYTES_MAX = 256 * 2 ** 20;
/** What waits for a slow disk; beyond it lines are lost rather than passes delayed. */
const WAITING_MAX = 10_000;

/** NDJSON files `passes-N.ndjson` in a directory. */
export class FileRecording implements Recording {
  readonly #options: FileRecordingOptions;
  readonly #waiting = new Fifo<string>();
  #writing: Promise<void> | undefined;
  #fileNumber = 1;
  #fileBytes = 0;

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
    } catch (error) {
      this.#options.onError?.(error);
    } finally {
      this.#writing = undefined;
    }
  }

  async #append(line: string): Promise<void> {
    const bytes = Buffer.byteLength(line);
    const fileBytesMax = (this.#options.bytesMax ?? BYTES_MAX) / FILES_MAX;
    if (this.#fileBytes > 0 && this.#fileBytes + bytes > fileBytesMax) await this.#rotate();
    await appendFile(this.#path(this.#fileNumber), line);
    this.#fileBytes += bytes;
  }

  async #rotate(): Promise<void> {
    this.#fileNumber++;
    this.#fileBytes = 0;
    await rm(this.#path(this.#fileNumber - FILES_MAX), { force: true });
  }

  #path(fileNumber: number): string {
    return join(this.#options.directory, `passes-${fileNumber}.ndjson`);
  }
}
