import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { Clock } from "@chaski/clock";
import type { Logger } from "../log/logger.ts";
import type { AdmissionHandler } from "./admission.ts";
import type { ServingCertificate, ServingCertificates } from "./certificates.ts";
import { BadReviewError, review } from "./review.ts";

export interface WebhookOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly host?: string;
  /** 0: chosen by the system. */
  readonly port: number;
  readonly handlers: readonly AdmissionHandler[];
  readonly certificates: ServingCertificates;
  readonly bodyBytesMax?: number;
}

export interface WebhookServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Twice what etcd takes by default: the object and the one that it replaces. */
const BODY_BYTES_MAX = 4 * 2 ** 20;
/** The API server waits for at most 30 s. */
const DEADLINE_MS_MAX = 30_000;
const DEADLINE_MS = 10_000;

/** Admission v1 over TLS. Certificates are exchanged while it runs. */
export async function startWebhookServer(options: WebhookOptions): Promise<WebhookServer> {
  const { certificates, log } = options;
  const handlers = new Map(options.handlers.map((handler) => [handler.path, handler]));
  const server = createServer(
    { ...secureContext(await certificates.current()), minVersion: "TLSv1.2" },
    (request, response) => {
      void answer(request, handlers, options).then((reply) => send(response, reply));
    },
  );
  const unsubscribe = certificates.onChange((certificate) => {
    server.setSecureContext({ ...secureContext(certificate), minVersion: "TLSv1.2" });
    log.info("the webhook server has a new certificate");
  });
  server.listen(options.port, options.host ?? "0.0.0.0");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      unsubscribe();
      return close(server);
    },
  };
}

function secureContext({ certificate, key }: ServingCertificate): { cert: string; key: string } {
  return { cert: certificate, key };
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

class RefusedError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function answer(
  request: IncomingMessage,
  handlers: ReadonlyMap<string, AdmissionHandler>,
  options: WebhookOptions,
): Promise<Reply> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "https://webhook");
  const deadline = options.clock.deadline(deadlineMs(searchParams.get("timeout")));
  try {
    const handler = handlers.get(pathname);
    if (!handler) throw new RefusedError(404, `no webhook is served at ${pathname}`);
    checkRequest(request);
    const body = await readBody(request, options.bodyBytesMax ?? BODY_BYTES_MAX);
    return { status: 200, body: await withinDeadline(review(body, handler, deadline.signal), deadline.signal) };
  } catch (error) {
    return failureReply(error, pathname, options.log);
  } finally {
    deadline.cancel();
  }
}

function failureReply(error: unknown, path: string, log: Logger): Reply {
  if (error instanceof RefusedError) return { status: error.status, body: { message: error.message } };
  if (error instanceof BadReviewError) return { status: 400, body: { message: error.message } };
  log.error("a webhook failed", { path, error });
  const isLate = error instanceof DOMException && error.name === "TimeoutError";
  const message = isLate ? "the review took too long" : "the review failed; the operator's log says why";
  return { status: isLate ? 504 : 500, body: { message } };
}

function checkRequest({ method, headers }: IncomingMessage): void {
  if (method !== "POST") throw new RefusedError(405, `${method} is not served; an AdmissionReview is posted`);
  const type = headers["content-type"]?.split(";")[0]?.trim();
  if (type !== "application/json") throw new RefusedError(415, `the body must be application/json, not ${type}`);
}

async function readBody(request: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new RefusedError(413, `the body is larger than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function withinDeadline<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const late = new Promise<never>((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
  );
  return Promise.race([work, late]);
}

/** The API server says how long it waits: `?timeout=10s`. */
function deadlineMs(timeout: string | null): number {
  const [, amount, unit] = /^(\d+)(ms|s)$/.exec(timeout ?? "") ?? [];
  if (amount === undefined) return DEADLINE_MS;
  return Math.min(DEADLINE_MS_MAX, Number(amount) * (unit === "s" ? 1_000 : 1));
}

function send(response: ServerResponse, { status, body }: Reply): void {
  // What is left of a body that was too large must not be read as the next request.
  const connection = status === 413 ? { connection: "close" } : {};
  response.writeHead(status, { "content-type": "application/json", ...connection }).end(JSON.stringify(body));
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeIdleConnections();
  await once(server, "close");
}
