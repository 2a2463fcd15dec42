// As little as a client of HTTP/1.1 over TLS can do, so that the server is what is measured. A connection carries one
// request at a time.
import { connect, type TLSSocket } from "node:tls";
import type { HttpsCredentials } from "@chaski/embedded/conformance";
import { countLines, type LoadAnswer, type LoadClient, type LoadRequest } from "./client.ts";
import { ResponseReader, type ResponseSink } from "./response-reader.ts";

export class HttpsClient implements LoadClient {
  readonly #server: URL;
  readonly #credentials: HttpsCredentials;
  readonly #idle: Connection[] = [];
  readonly #all: Connection[] = [];

  constructor(server: string, credentials: HttpsCredentials) {
    this.#server = new URL(server);
    this.#credentials = credentials;
  }

  async send(request: LoadRequest): Promise<LoadAnswer> {
    const connection = this.#idle.pop() ?? this.#open();
    const answer = await connection.send(this.#textOf(request));
    this.#idle.push(connection);
    return answer;
  }

  watch(path: string, onEvents: (count: number) => void): Promise<void> {
    return this.#open().watch(this.#textOf({ method: "GET", path }), onEvents);
  }

  async close(): Promise<void> {
    for (const connection of this.#all) connection.close();
  }

  #open(): Connection {
    const { ca, certificate, key } = this.#credentials;
    const socket = connect({
      host: this.#server.hostname,
      port: Number(this.#server.port),
      ...(ca && { ca }),
      ...(certificate && { cert: certificate }),
      ...(key && { key }),
    });
    const connection = new Connection(socket);
    this.#all.push(connection);
    return connection;
  }

  #textOf({ method, path, contentType = "application/json", body }: LoadRequest): string {
    const lines = [`${method} ${path} HTTP/1.1`, `Host: ${this.#server.host}`, "Accept: application/json"];
    lines.push("User-Agent: bench/1.0");
    if (this.#credentials.token) lines.push(`Authorization: Bearer ${this.#credentials.token}`);
    if (body !== undefined) lines.push(`Content-Type: ${contentType}`, `Content-Length: ${Buffer.byteLength(body)}`);
    return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
  }
}

class Connection {
  readonly #socket: TLSSocket;
  #reader: ResponseReader | undefined;
  #fail: (error: Error) => void = () => {};

  constructor(socket: TLSSocket) {
    this.#socket = socket.setNoDelay(true);
    socket.on("data", (bytes: Buffer) => this.#reader?.push(bytes));
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#fail(new Error("the server closed the connection")));
  }

  send(text: string): Promise<LoadAnswer> {
    return new Promise((resolve, reject) => {
      let status = 0;
      const chunks: Buffer[] = [];
      this.#start(text, reject, {
        onHead: (code) => void (status = code),
        onBody: (bytes) => void chunks.push(bytes),
        onEnd: () => resolve({ status, body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) }),
      });
    });
  }

  watch(text: string, onEvents: (count: number) => void): Promise<void> {
    return new Promise((resolve, reject) =>
      this.#start(text, reject, {
        onHead: (code) => (code === 200 ? resolve() : reject(new Error(`the watch was answered with ${code}`))),
        onBody: (bytes) => onEvents(countLines(bytes)),
        onEnd: () => {},
      }),
    );
  }

  close(): void {
    this.#socket.destroy();
  }

  #start(text: string, fail: (error: Error) => void, sink: ResponseSink): void {
    this.#fail = fail;
    this.#reader = new ResponseReader(sink);
    this.#socket.write(text);
  }
}
