import type { Machine } from "./machine.ts";

const REREAD_AFTER_MS = 60_000;

/** A file that somebody else rotates, read again once a minute. Once read, a file that is gone keeps its last content. */
export class WatchedFile {
  readonly path: string;
  readonly #machine: Machine;
  #content: Buffer | undefined;
  #readAtMs = 0;

  constructor(machine: Machine, path: string) {
    this.#machine = machine;
    this.path = path;
  }

  async read(): Promise<Buffer> {
    const nowMs = this.#machine.clock.monotonic();
    if (this.#content !== undefined && nowMs - this.#readAtMs < REREAD_AFTER_MS) return this.#content;
    const content = await this.#machine.readFile(this.path).catch((error: unknown) => {
      if (this.#content === undefined) throw error;
      return this.#content;
    });
    this.#readAtMs = nowMs;
    if (this.#content === undefined || !content.equals(this.#content)) this.#content = content;
    return this.#content;
  }

  /** The next read goes to the disk. */
  forget(): void {
    this.#readAtMs = -REREAD_AFTER_MS;
  }
}
