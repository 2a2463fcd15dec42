import { pipeline, type Readable } from "node:stream";
import { createSecureContext, type SecureContext } from "node:tls";
import { createGunzip } from "node:zlib";
import type { Transport, TransportRequest, TransportResponse } from "@chaski/kube";
import type { buildConnector, Dispatcher } from "undici";
import connect from "undici/lib/api/api-connect.js";
import errors from "undici/lib/core/errors.js";
import Client from "undici/lib/dispatcher/client.js";
import AnyDispatcher from "undici/lib/dispatcher/dispatcher.js";
import ProxyAgent from "undici/lib/dispatcher/proxy-agent.js";
import { ConnectionPool } from "./connection-pool.ts";
import { eagerConnector } from "./eager-socket.ts";

/** How the server proves itself, and how we do by certificate. PEM. */
export interface TlsMaterial {
  readonly ca?: string | Buffer;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  readonly serverName?: string;
  readonly isInsecure?: boolean;
}

export interface Endpoint {
  /** `https://host:port`, with a path where a proxy serves the API below one. */
  readonly server: string;
  /** A function where certificates change while we run: another value means new connections. */
  readonly tls: TlsMaterial | (() => Promise<TlsMaterial>);
  readonly proxyUrl?: string;
  readonly isCompressed?: boolean;
}

// As undici's own index does, which we do not load. Its proxy agent needs it.
Object.assign(AnyDispatcher.prototype, { connect });

const CONNECT_TIMEOUT_MS = 10_000;
/** Below the 90 s after which an API server closes an idle connection. */
const KEEP_ALIVE_MS = 60_000;
const IS_WATCH = /[?&]watch=(true|1)(&|$)/;

/** One cluster's connections, kept open between requests. */
export function undiciTransport(endpoint: Endpoint): Transport {
  return new PooledTransport(endpoint);
}

interface Trusted {
  readonly tls: TlsMaterial;
  readonly pool: ConnectionPool;
}

class PooledTransport implements Transport {
  readonly #endpoint: Endpoint;
  readonly #origin: string;
  readonly #basePath: string;
  readonly #isCompressed: boolean;
  readonly #pools = new Set<ConnectionPool>();
  #current: Trusted | undefined;
  #isClosed = false;

  constructor(endpoint: Endpoint) {
    const { origin, pathname, hostname } = new URL(endpoint.server);
    this.#endpoint = endpoint;
    this.#origin = origin;
    this.#basePath = pathname.replace(/\/$/, "");
    this.#isCompressed = endpoint.isCompressed ?? !isLoopback(hostname);
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const isLong = IS_WATCH.test(request.path);
    const pool = await this.#pool();
    const options = {
      origin: this.#origin,
      path: this.#basePath + request.path,
      method: request.method,
      headers: this.#headers(request, isLong),
      body: request.body ?? null,
    };
    const { signal, onStart } = request;
    const { statusCode, headers, body } = await pool.send({ options, onStart, signal, isLong });
    const flat = flatten(headers);
    return { status: statusCode, headers: flat, body: flat["content-encoding"] === "gzip" ? gunzipped(body) : body };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#pools].map((pool) => pool.close()));
  }

  async #pool(): Promise<ConnectionPool> {
    const { tls } = this.#endpoint;
    const material = typeof tls === "function" ? await tls() : tls;
    if (this.#isClosed) throw new errors.ClientClosedError();
    if (this.#current?.tls !== material) this.#current = { tls: material, pool: this.#newPool(material) };
    return this.#current.pool;
  }

  #newPool(tls: TlsMaterial): ConnectionPool {
    this.#current?.pool.retire();
    for (const pool of this.#pools) if (!pool.isBusy) this.#pools.delete(pool);
    const connect = { ...tlsOptions(this.#endpoint, tls), timeout: CONNECT_TIMEOUT_MS };
    const pool = new ConnectionPool(() => connection(this.#endpoint, connect));
    this.#pools.add(pool);
    return pool;
  }

  #headers({ headers, repeatedHeaders }: TransportRequest, isWatch: boolean): Record<string, string | string[]> {
    const all: Record<string, string | string[]> = { ...headers };
    for (const [name, values] of Object.entries(repeatedHeaders ?? {})) {
      if (values.length > 0) all[name] = [...values];
    }
    if (this.#isCompressed && !isWatch) all["accept-encoding"] = "gzip";
    return all;
  }
}

function connection({ server, proxyUrl }: Endpoint, connect: buildConnector.BuildOptions): Dispatcher {
  const options = {
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The client's deadlines and the caches' inactivity limit rule instead.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  return proxyUrl === undefined
    ? new Client(new URL(server).origin, { ...options, connect: eagerConnector({ ...connect, allowH2: false }) })
    : new ProxyAgent({ ...options, connections: 1, uri: proxyUrl, requestTls: connect });
}

/** Certificates are read once for all connections: each reading takes milliseconds, and memory for as long as it is open. */
function tlsOptions({ server }: Endpoint, tls: TlsMaterial): buildConnector.BuildOptions {
  const { serverName, isInsecure } = tls;
  return {
    ...(new URL(server).protocol === "https:" && { secureContext: secureContext(tls) }),
    ...(serverName !== undefined && { servername: serverName }),
    rejectUnauthorized: !isInsecure,
  };
}

function secureContext({ ca, cert, key }: TlsMaterial): SecureContext {
  return createSecureContext({
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  });
}

/** A cut connection fails the reader, whichever of the two streams noticed it. */
function gunzipped(body: AsyncIterable<Uint8Array>): Readable {
  return pipeline(body, createGunzip(), () => undefined);
}

/** There, compression costs more than it saves. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}
