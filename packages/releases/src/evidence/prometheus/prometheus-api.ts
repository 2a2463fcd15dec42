import { readFile } from "node:fs/promises";
import type { Transport } from "@chaski/kube";
import { type TlsMaterial, undiciTransport } from "@chaski/runtime";
import { type Firing, NoAnswerError, readAnswer } from "./answer.ts";

/** How Prometheus is reached. Files are read again for every question, so that somebody may rotate them. */
export interface PrometheusAccess {
  readonly bearerTokenFile?: string;
  readonly certificateAuthorityFile?: string;
  readonly clientCertificate?: { readonly certificateFile: string; readonly keyFile: string };
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PrometheusApi {
  firing(query: string, signal: AbortSignal): Promise<Firing>;
  close(): Promise<void>;
}

const ANSWER_MAX_BYTES = 8 * 1024 * 1024;

/** `access` is asked for every time: it may change while we run. */
export function prometheusApi(address: string, access: () => PrometheusAccess): PrometheusApi {
  const url = new URL(address);
  const tls = new FollowedTls(access);
  const transport = undiciTransport({ server: url.origin + url.pathname, tls: () => tls.current() });
  return {
    firing: async (query, signal) => {
      const headers = await headersFor(url, access());
      const { status, text } = await send(transport, query, { headers, signal });
      return readAnswer(status, text);
    },
    close: () => transport.close(),
  };
}

async function send(
  transport: Transport,
  query: string,
  request: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<{ readonly status: number; readonly text: string }> {
  const path = `/api/v1/query?${new URLSearchParams({ query }).toString()}`;
  try {
    const { status, body } = await transport.send({ method: "GET", path, ...request });
    return { status, text: await readBounded(body) };
  } catch (error) {
    if (error instanceof NoAnswerError) throw error;
    throw new NoAnswerError(`it can't be reached (${codeOf(error)})`);
  }
}

async function readBounded(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    if (size > ANSWER_MAX_BYTES) throw new NoAnswerError(`the answer is larger than ${ANSWER_MAX_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

async function headersFor(
  { username, password }: URL,
  { bearerTokenFile, headers = {} }: PrometheusAccess,
): Promise<Readonly<Record<string, string>>> {
  const token = bearerTokenFile === undefined ? undefined : (await readSetting(bearerTokenFile)).trim();
  const login = [username, password].map(decodeURIComponent).join(":");
  const authorization = token === undefined ? `Basic ${Buffer.from(login).toString("base64")}` : `Bearer ${token}`;
  const isAnonymous = token === undefined && login === ":";
  return { accept: "application/json", ...(isAnonymous ? {} : { authorization }), ...headers };
}

/** The same value for as long as the files are the same: another one means new connections. */
class FollowedTls {
  readonly #access: () => PrometheusAccess;
  #current: TlsMaterial = {};

  constructor(access: () => PrometheusAccess) {
    this.#access = access;
  }

  async current(): Promise<TlsMaterial> {
    const { certificateAuthorityFile, clientCertificate } = this.#access();
    const material: TlsMaterial = {
      ...(certificateAuthorityFile !== undefined && { ca: await readSetting(certificateAuthorityFile) }),
      ...(clientCertificate && {
        cert: await readSetting(clientCertificate.certificateFile),
        key: await readSetting(clientCertificate.keyFile),
      }),
    };
    const { ca, cert, key } = this.#current;
    if (ca !== material.ca || cert !== material.cert || key !== material.key) this.#current = material;
    return this.#current;
  }
}

async function readSetting(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new NoAnswerError(`${path} can't be read (${codeOf(error)})`);
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "no code";
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.cause === undefined ? error.name : codeOf(error.cause);
}
