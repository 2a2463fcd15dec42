/** Reads HTTP/1.1 answers, one after the other, from the bytes of a connection. */
export class ResponseReader {
  readonly #sink: ResponseSink;
  #rest: Buffer = Buffer.alloc(0);
  /** Undefined: the head of an answer comes next. */
  #body: { readonly isChunked: boolean; bytesLeft: number } | undefined;

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  push(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length > 0 && this.#step());
  }

  /** False: more bytes are needed. */
  #step(): boolean {
    if (!this.#body) return this.#readHead();
    if (this.#body.isChunked && this.#body.bytesLeft === 0) return this.#readChunkSize(this.#body);
    // The line end that follows a chunk is counted with it, but is none of its content.
    const lineEnd = this.#body.isChunked ? 2 : 0;
    const taken = this.#take(Math.min(this.#body.bytesLeft, this.#rest.length));
    const content = taken.subarray(0, Math.max(0, this.#body.bytesLeft - lineEnd));
    this.#body.bytesLeft -= taken.length;
    if (content.length > 0) this.#sink.onBody(content);
    if (!this.#body.isChunked && this.#body.bytesLeft === 0) this.#end();
    return true;
  }

  #readHead(): boolean {
    const end = this.#rest.indexOf("\r\n\r\n");
    if (end < 0) return false;
    const head = this.#take(end + 4).toString("latin1");
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    this.#body = { isChunked: /\r\ntransfer-encoding: *chunked/i.test(head), bytesLeft: length };
    this.#sink.onHead(Number(head.slice(9, 12)));
    if (!this.#body.isChunked && length === 0) this.#end();
    return true;
  }

  #readChunkSize(body: { bytesLeft: number }): boolean {
    const end = this.#rest.indexOf("\r\n");
    if (end < 0) return false;
    const size = Number.parseInt(this.#rest.toString("latin1", 0, end), 16);
    const isLast = size === 0;
    if (isLast && this.#rest.length < end + 4) return false;
    this.#take(isLast ? end + 4 : end + 2);
    if (isLast) this.#end();
    else body.bytesLeft = size + 2;
    return true;
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }

  #end(): void {
    this.#body = undefined;
    this.#sink.onEnd();
  }
}

export interface ResponseSink {
  onHead(status: number): void;
  onBody(bytes: Buffer): void;
  onEnd(): void;
}
