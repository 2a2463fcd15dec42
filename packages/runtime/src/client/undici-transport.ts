import { createGunzip } from "node:zlib";
import type { Transport, TransportRequest, TransportResponse } from "@chaski/kube";
import { buildConnector, type Dispatcher, Pool, ProxyAgent } from "undici";

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
  readonly tls: TlsMaterial;
  readonly proxyUrl?: string;
  /** Asked again for every new connection, where certificates change while we run. */
  readonly currentTls?: () => Promise<TlsMaterial>;
  readonly isCompressed?: boolean;
}

const CALL_CONNECTIONS = 32;
const CONNECT_TIMEOUT_MS = 10_000;
/** Below the 90 s after which an API server closes an idle connection. */
const KEEP_ALIVE_MS = 60_000;
const IS_WATCH = /[?&]watch=(true|1)(&|$)/;

/** One cluster's connections. Watches have their own: however many there are, calls never wait for one to end. */
export function undiciTransport(endpoint: Endpoint): Transport {
  return new PooledTransport(endpoint);
}

class PooledTransport implements Transport {
  readonly #origin: string;
  readonly #basePath: string;
  readonly #isCompressed: boolean;
  readonly #calls: Dispatcher;
  readonly #watches: Dispatcher;

  constructor(endpoint: Endpoint) {
    const { origin, pathname, hostname } = new URL(endpoint.server);
    this.#origin = origin;
    this.#basePath = pathname.replace(/\/$/, "");
    this.#isCompressed = endpoint.isCompressed ?? !isLoopback(hostname);
    this.#calls = dispatcher(origin, endpoint, CALL_CONNECTIONS);
    this.#watches = dispatcher(origin, endpoint, null);
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const isWatch = IS_WATCH.test(request.path);
    const { statusCode, headers, body } = await (isWatch ? this.#watches : this.#calls).request({
      origin: this.#origin,
      path: this.#basePath + request.path,
      method: request.method,
      headers: this.#headers(request, isWatch),
      body: request.body ?? null,
      signal: request.signal ?? null,
    });
    const flat = flatten(headers);
    return {
      status: statusCode,
      headers: flat,
      body: flat["content-encoding"] === "gzip" ? body.pipe(createGunzip()) : body,
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#calls.destroy(), this.#watches.destroy()]);
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

function dispatcher(origin: string, endpoint: Endpoint, connections: number | null): Dispatcher {
  const options = {
    connections,
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The client's deadlines and the caches' inactivity limit rule instead.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  if (endpoint.proxyUrl === undefined) return new Pool(origin, { ...options, connect: connector(endpoint) });
  return new ProxyAgent({ ...options, uri: endpoint.proxyUrl, requestTls: tlsOptions(endpoint.tls) });
}

function connector({ tls, currentTls }: Endpoint): buildConnector.connector | buildConnector.BuildOptions {
  if (currentTls === undefined) return { ...tlsOptions(tls), timeout: CONNECT_TIMEOUT_MS };
  return (options, callback) => {
    currentTls().then(
      (material) =>
        buildConnector({ ...tlsOptions(material), allowH2: false, timeout: CONNECT_TIMEOUT_MS })(options, callback),
      (error: unknown) => callback(error as Error, null),
    );
  };
}

function tlsOptions({ ca, cert, key, serverName, isInsecure }: TlsMaterial): buildConnector.BuildOptions {
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(serverName !== undefined && { servername: serverName }),
    rejectUnauthorized: !isInsecure,
  };
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
