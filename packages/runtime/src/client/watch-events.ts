const NEWLINE = 0x0a;

export interface RawEvent {
  readonly type: string;
  readonly object: unknown;
}

/**
 * Cuts a stream of bytes into lines. Bytes, not text: a chunk may end within a character. What follows the last newline
 * is kept for the next chunk, and is never handed out when there is none: a line without its end was cut.
 */
export class LineSplitter {
  #pending: Uint8Array[] = [];

  lines(chunk: Uint8Array): readonly string[] {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: string[] = [];
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      const line = this.#complete(bytes, start, end);
      if (line !== "") lines.push(line);
      start = end + 1;
    }
    if (start < bytes.length) this.#pending.push(bytes.subarray(start));
    return lines;
  }

  #complete(bytes: Buffer, start: number, end: number): string {
    if (this.#pending.length === 0) return bytes.toString("utf8", start, end);
    const line = Buffer.concat([...this.#pending, bytes.subarray(start, end)]).toString("utf8");
    this.#pending = [];
    return line;
  }
}

/** Undefined when the line is no event. */
export function parseEvent(line: string): RawEvent | undefined {
  try {
    const event = JSON.parse(line) as Partial<RawEvent> | null;
    return typeof event?.type === "string" && typeof event.object === "object" && event.object !== null
      ? (event as RawEvent)
      : undefined;
  } catch {
    return undefined;
  }
}
