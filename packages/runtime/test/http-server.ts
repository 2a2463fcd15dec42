import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { AddressInfo, Socket } from "node:net";

export type Handler = (request: IncomingMessage & { readonly text: string }, response: ServerResponse) => void;

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  /** Connections that were ever opened. */
  readonly connections: number;
  readonly requests: readonly string[];
  /** Cuts every open connection. */
  cut(): void;
}

/** A real HTTP server on loopback that answers as the test says; over TLS when that is given. */
export async function startServer(handler: Handler, tls?: ServerOptions): Promise<TestServer> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let connections = 0;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    requests.push(`${request.method} ${request.url}`);
    void readBody(request).then((text) => handler(Object.assign(request, { text }), response));
  };
  const server = tls ? createTlsServer(tls, answer) : createServer(answer);
  server.keepAliveTimeout = 0;
  server.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get connections() {
      return connections;
    },
    cut: () => sockets.forEach((socket) => socket.resetAndDestroy()),
    [Symbol.asyncDispose]: () => stop(server),
  };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

export function status(code: number, reason: string, extra: Readonly<Record<string, unknown>> = {}): object {
  return {
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    code,
    reason,
    message: `the server says ${reason}`,
    ...extra,
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}
