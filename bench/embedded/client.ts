/** What the load needs of a client: answers are read to their end, not understood. */
export interface LoadClient {
  send(request: LoadRequest): Promise<LoadAnswer>;
  /** Calls back with how many events have come; resolves when the server has started the watch. */
  watch(path: string, onEvents: (count: number) => void): Promise<void>;
  close(): Promise<void>;
}

export interface LoadRequest {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly contentType?: string;
  readonly body?: string;
}

export interface LoadAnswer {
  readonly status: number;
  readonly body: Buffer;
}

const NEWLINE = 10;

/** Every event of a watch is a line. */
export function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
