// A plain client for tests: what was sent and what came back, nothing hidden.
import type { Transport, TransportRequest } from "@chaski/kube";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read whatever the server answers.
  readonly body: any;
}

export interface SendOptions {
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request and its answer; an event of a watch counts as one. */
export interface Exchange extends Answer {
  readonly method: string;
  readonly path: string;
}

export interface WatchEvent {
  readonly type: string;
  readonly object: Answer["body"];
}

export class Requests {
  readonly #transport: Transport;
  readonly #record: (exchange: Exchange) => void;

  constructor(transport: Transport, record: (exchange: Exchange) => void = () => {}) {
    this.#transport = transport;
    this.#record = record;
  }

  /** The same server, out of the record. */
  unrecorded(): Requests {
    return new Requests(this.#transport);
  }

  get(path: string, options?: SendOptions): Promise<Answer> {
    return this.send("GET", path, undefined, options);
  }

  post(path: string, body: unknown, options?: SendOptions): Promise<Answer> {
    return this.send("POST", path, body, options);
  }

  put(path: string, body: unknown, options?: SendOptions): Promise<Answer> {
    return this.send("PUT", path, body, options);
  }

  delete(path: string, body?: unknown): Promise<Answer> {
    return this.send("DELETE", path, body);
  }

  merge(path: string, body: unknown): Promise<Answer> {
    return this.send("PATCH", path, body, { contentType: "application/merge-patch+json" });
  }

  strategic(path: string, body: unknown): Promise<Answer> {
    return this.send("PATCH", path, body, { contentType: "application/strategic-merge-patch+json" });
  }

  jsonPatch(path: string, body: unknown): Promise<Answer> {
    return this.send("PATCH", path, body, { contentType: "application/json-patch+json" });
  }

  /** `path` names the manager, and `force` if it is meant. */
  apply(path: string, body: unknown): Promise<Answer> {
    return this.send("PATCH", path, body, { contentType: "application/apply-patch+yaml" });
  }

  /** Reads events until there are `count`, as exchanges of their own. */
  async events(path: string, count: number, accept?: string): Promise<Answer["body"][]> {
    let seen = 0;
    return this.eventsUntil(path, () => ++seen === count, accept);
  }

  /** The same until one is the last. */
  async eventsUntil(path: string, isLast: (event: WatchEvent) => boolean, accept?: string): Promise<Answer["body"][]> {
    const stop = new AbortController();
    const events: Answer["body"][] = [];
    for await (const event of this.watch(path, stop.signal, accept)) {
      this.#record({ method: "WATCH", path, status: 200, headers: {}, body: event });
      events.push(event);
      if (isLast(event)) stop.abort();
    }
    return events;
  }

  async send(
    method: TransportRequest["method"],
    path: string,
    body?: unknown,
    options: SendOptions = {},
  ): Promise<Answer> {
    const headers = {
      "user-agent": "tests/1.0",
      accept: options.accept ?? "application/json",
      ...(body !== undefined && { "content-type": options.contentType ?? "application/json" }),
      ...options.headers,
    };
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const response = await this.#transport.send({ method, path, headers, ...(body !== undefined && { body: text }) });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const answer = Buffer.concat(chunks).toString();
    const exchange = { method, path, status: response.status, headers: response.headers, body: parse(answer) };
    this.#record(exchange);
    return exchange;
  }

  /** Reads events as they come until `signal` aborts or the server ends the watch. */
  async *watch(path: string, signal: AbortSignal, accept = "application/json"): AsyncGenerator<WatchEvent> {
    const response = await this.#transport.send({
      method: "GET",
      path,
      headers: { accept },
      signal,
    });
    let rest = "";
    for await (const chunk of response.body) {
      const lines = (rest + Buffer.from(chunk).toString()).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield JSON.parse(line) as WatchEvent;
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
