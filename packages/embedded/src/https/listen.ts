// The same server over HTTPS, for kubectl and whoever else is not in this process.
import { createServer, type Server } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { TransportRequest, TransportResponse } from "@chaski/kube";
import { type Authority, createAuthority, type KeyPair } from "@chaski/pki";
import type { CertificateSubject } from "../auth/authentication.ts";
import { ApiError, tooLarge } from "../errors/api-error.ts";
import { protobufToJson } from "../builtin/resources.ts";
import type { Api } from "../request/api.ts";
import { BODY_BYTES_MAX, type Handler } from "../server/handler.ts";
import { WholeBody, wholeOf } from "../server/whole-body.ts";
import { ByteQueue } from "../verbs/byte-queue.ts";
import { newUid } from "../storage/new-uid.ts";
import { kubeconfigOf } from "./kubeconfig.ts";

export interface ListenOptions {
  /** 0, or absent: one that is free. */
  readonly port?: number;
}

export interface Listening {
  readonly url: string;
  /** What clients have to trust, in PEM. */
  readonly ca: string;
  /** An administrator's bearer token. */
  readonly token: string;
  /** An administrator's kubeconfig, as text. */
  readonly kubeconfig: string;
  /** A certificate that makes its holder this user. */
  issueUser(name: string, groups?: readonly string[]): KeyPair;
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
const CERTIFICATE_DAYS = 365;

export async function listen({
  api,
  handler,
  port = 0,
}: ListenOptions & { api: Api; handler: Pick<Handler, "handle"> }): Promise<Listening> {
  // Certificates are for other machines' clocks too, so they know the real time only.
  const authority = createAuthority({
    name: "chaski-embedded",
    clock: { now: () => new Date().getTime() },
    days: CERTIFICATE_DAYS,
  });
  const own = authority.issue({
    commonName: "kube-apiserver",
    usage: "server",
    dnsNames: ["localhost", "kubernetes.default.svc"],
    ipAddresses: [HOST],
    days: CERTIFICATE_DAYS,
  });
  const server = createServer(
    { cert: own.certificate, key: own.key, ca: authority.certificate, requestCert: true, rejectUnauthorized: false },
    (request, response) => void serve({ api, handler, request, response }),
  );
  const url = await started(server, port);
  const token = newUid(api.random);
  api.authentication.addToken(token, { name: "admin", groups: ["system:masters"] });
  return {
    url,
    ca: authority.certificate,
    token,
    kubeconfig: kubeconfigOf({ url, ca: authority.certificate, token }),
    issueUser: (name, groups = []) => issueUser(authority, name, groups),
    close: () => closed(server),
  };
}

function issueUser(authority: Authority, name: string, groups: readonly string[]): KeyPair {
  return authority.issue({ commonName: name, organizations: groups, usage: "client", days: CERTIFICATE_DAYS });
}

async function started(server: Server, port: number): Promise<string> {
  // Node's own limits would cut watches.
  Object.assign(server, { requestTimeout: 0, timeout: 0, keepAliveTimeout: 120_000 });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, HOST, resolve));
  return `https://${HOST}:${(server.address() as AddressInfo).port}`;
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

interface Exchange {
  readonly api: Api;
  readonly handler: Pick<Handler, "handle">;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function serve({ api, handler, request, response }: Exchange): Promise<void> {
  try {
    const user = api.authentication.userOf(request.headers.authorization, subjectOf(request.socket));
    const sent = toTransport(request, response, await bodyOf(request));
    const answer = await handler.handle(sent, user);
    if (answer.body instanceof WholeBody && isShort(answer.body)) sendWhole(answer.body.text, answer, response);
    else await send(answer, request, response);
  } catch (error) {
    if (error instanceof ApiError && !response.headersSent)
      response.writeHead(error.status.code, { "content-type": "application/json" }).end(JSON.stringify(error.body()));
    else response.destroy();
  }
}

const subjects = new WeakMap<Socket, CertificateSubject>();

/** Only a certificate that our own authority signed says who somebody is. */
function subjectOf(socket: Socket): CertificateSubject | undefined {
  const tls = socket as TLSSocket;
  if (!tls.authorized) return undefined;
  const known = subjects.get(socket) ?? readSubject(tls);
  subjects.set(socket, known);
  return known;
}

function readSubject(socket: TLSSocket): CertificateSubject {
  const { subject } = socket.getPeerCertificate();
  const organizations = subject?.O ?? [];
  return {
    commonName: `${subject?.CN ?? ""}`,
    organizations: Array.isArray(organizations) ? organizations : [organizations],
  };
}

function toTransport(request: IncomingMessage, response: ServerResponse, bytes: Buffer): TransportRequest {
  const { method = "GET", url: path = "/", headers } = request;
  const fromProtobuf = PROTOBUF.test(headers["content-type"] ?? "") ? protobufToJson(bytes) : undefined;
  const body = fromProtobuf ?? bytes.toString();
  // Node joins what is sent more than once, except for cookies.
  const texts = headers as Record<string, string>;
  return {
    method: method as TransportRequest["method"],
    path,
    headers: fromProtobuf === undefined ? texts : { ...texts, "content-type": "application/json" },
    ...(body !== "" && { body }),
    // Everything but a watch is over before its client could be gone.
    ...(isWatch(path) && { signal: whenGone(response) }),
  };
}

const PROTOBUF = /^application\/vnd\.kubernetes\.protobuf/;

function whenGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  return gone.signal;
}

const NO_BYTES = Buffer.alloc(0);

function bodyOf(request: IncomingMessage): Promise<Buffer> | Buffer {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (length === undefined && encoding === undefined) return NO_BYTES;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > BODY_BYTES_MAX) reject(tooLarge(`Request entity too large: limit is ${BODY_BYTES_MAX}`));
      else chunks.push(chunk);
    });
    request.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on("error", reject);
  });
}

const GZIP_BYTES_MIN = 128 * 1024;

/** So are most answers: they go out without a promise. */
function isShort({ text }: WholeBody): boolean {
  return 3 * text.length <= GZIP_BYTES_MIN;
}

function sendWhole(body: string | Buffer, { status, headers }: TransportResponse, response: ServerResponse): void {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}

async function send(answer: TransportResponse, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, headers, body } = answer;
  if (body instanceof ByteQueue) {
    response.writeHead(status, headers).flushHeaders();
    return body.pourInto(response);
  }
  const whole = await wholeOf(body);
  const isLong = Buffer.byteLength(whole) > GZIP_BYTES_MIN;
  const isZipped = isLong && /\bgzip\b/.test(String(request.headers["accept-encoding"]));
  if (!isZipped) return sendWhole(whole, answer, response);
  response.writeHead(status, { ...headers, "content-encoding": "gzip", vary: "Accept-Encoding" });
  const { createGzip } = await import("node:zlib");
  await pipeline(Readable.from([whole]), createGzip({ level: 1 }), response);
}

function isWatch(url: string): boolean {
  return /[?&]watch=(?!0|false)/.test(url);
}
