/** What takes bytes as fast as it can: Node's Writable. */
export interface ByteSink {
  /** False: better wait for `drain`. */
  write(chunk: Uint8Array): boolean;
  end(): void;
  on(event: "drain" | "close", listener: () => void): unknown;
}

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

  /** The shortest way to a socket: what is pushed within one turn of the event loop is written together. */
  async pourInto(sink: ByteSink): Promise<void> {
    let isFull = false;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const pour = (): void => {
      while (!isFull && this.#chunks.length > 0) isFull = !sink.write(this.#takeAll());
      if (this.#isClosed && this.#chunks.length === 0) {
        sink.end();
        resolve();
      }
      // oxlint-disable-next-line no-restricted-globals -- the end of a turn is no time: sockets have real turns only.
      else this.#wake = () => setImmediate(pour);
    };
    sink.on("drain", () => {
      isFull = false;
      pour();
    });
    sink.on("close", () => {
      this.close();
      resolve();
    });
    pour();
    await ended;
  }

  #takeAll(): Uint8Array {
    const [first, ...others] = this.#chunks.splice(0);
    return first && others.length === 0 ? first : Buffer.concat([first ?? Buffer.alloc(0), ...others]);
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
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
