// What a client and an API server hand each other. Over HTTPS it is the client's connection pool; in the process it is
// the embedded server itself.

export interface TransportRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query, as sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers that stand once per value: `impersonate-group`. */
  readonly repeatedHeaders?: Readonly<Record<string, readonly string[]>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** Called at the moment at which the request goes out, however long it waited for a connection. If it throws, it does not. */
  readonly onStart?: () => void;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends by itself, or when the request's signal aborts. Reading slowly slows the sender. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface Transport {
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}
