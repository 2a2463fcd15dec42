/** Bytes on their way to one reader. Ends by itself when the reader falls too far behind. */
export class ByteQueue implements AsyncIterable<Uint8Array> {
  readonly #chunks: Uint8Array[] = [];
  readonly #limit: number;
  #wake: (() => void) | undefined;
  #isClosed = false;
  readonly #onClose: () => void;

  constructor(limit: number, onClose: () => void) {
    this.#limit = limit;
    this.#onClose = onClose;
  }

  push(chunk: Uint8Array): void {
    if (this.#isClosed) return;
    this.#chunks.push(chunk);
    if (this.#chunks.length > this.#limit) this.close();
    else this.#wakeReader();
  }

  /** The reader still gets what was pushed before. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onClose();
    this.#wakeReader();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        for (let chunk = this.#chunks.shift(); chunk; chunk = this.#chunks.shift()) yield chunk;
        if (this.#isClosed) return;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.close();
    }
  }

  #wakeReader(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
