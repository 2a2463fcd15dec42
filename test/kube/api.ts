// The testbed's own few lines of HTTP, so that a test of the client does not lean on the client.
import { Agent, type RequestOptions, request } from "node:https";

export interface ApiCredentials {
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly text: string;
}

export class ApiError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.name = "ApiError";
    this.status = status;
  }
}

export interface ApiRequest {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly timeoutMs?: number;
}

/** Requests to one API server as one user. */
export class Api {
  readonly #server: string;
  readonly #agent: Agent;

  constructor(server: string, { ca, certificate, key }: ApiCredentials) {
    this.#server = server;
    this.#agent = new Agent({ ca, cert: certificate, key, keepAlive: true, maxSockets: 16 });
  }

  /** The answer's object; an error status throws. */
  async call<T = Record<string, unknown>>(call: ApiRequest): Promise<T> {
    const { status, text } = await this.send(call);
    if (status >= 400) throw new ApiError(`${call.method ?? "GET"} ${call.path}: ${status} ${text.trim()}`, status);
    return JSON.parse(text) as T;
  }

  async send({ method = "GET", path, body, contentType, timeoutMs = 60_000 }: ApiRequest): Promise<ApiResponse> {
    const content = body === undefined ? undefined : JSON.stringify(body);
    const headers =
      content === undefined
        ? {}
        : { "content-type": contentType ?? "application/json", "content-length": Buffer.byteLength(content) };
    const options: RequestOptions = { method, headers, agent: this.#agent, timeout: timeoutMs };
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, this.#server), options, (response) => {
        response.setEncoding("utf8");
        let text = "";
        response.on("data", (chunk: string) => (text += chunk));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
        response.on("error", reject);
      });
      sent.on("timeout", () => sent.destroy(new Error(`${method} ${path}: no answer within ${timeoutMs} ms`)));
      sent.on("error", reject);
      sent.end(content);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
