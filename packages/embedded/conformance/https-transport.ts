// A plain HTTPS client for the real server: what it answers, nothing read into it.
import { Agent, request as send } from "node:https";
import type { Transport, TransportRequest, TransportResponse } from "@chaski/kube";

export interface HttpsCredentials {
  readonly ca?: string;
  readonly certificate?: string;
  readonly key?: string;
  readonly token?: string;
}

export function httpsTransport(server: string, { ca, certificate, key, token }: HttpsCredentials): Transport {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 256,
    // The server closes what is idle for 90 seconds; who uses it then is cut off.
    timeout: 30_000,
    ...(ca ? { ca } : { rejectUnauthorized: false }),
    ...(certificate && { cert: certificate }),
    ...(key && { key }),
  });
  const authorization = token ? { authorization: `Bearer ${token}` } : {};
  return {
    send: (request) => sendOver(agent, server, { ...request, headers: { ...authorization, ...request.headers } }),
    close: async () => agent.destroy(),
  };
}

function sendOver(agent: Agent, server: string, request: TransportRequest): Promise<TransportResponse> {
  const { method, path, body, signal } = request;
  const headers = { ...request.headers, ...(body !== undefined && { "content-length": `${Buffer.byteLength(body)}` }) };
  return new Promise((resolve, reject) => {
    const sent = send(`${server}${path}`, { method, headers, agent, ...(signal && { signal }) }, (response) => {
      const answered = Object.entries(response.headers).map(([name, value]) => [name, `${value}`] as const);
      resolve({
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(answered),
        body: untilAborted(response, signal),
      });
    });
    // A connection that the server closed while it was idle was no connection.
    sent.on("error", (error: NodeJS.ErrnoException) => {
      if (sent.reusedSocket && error.code === "ECONNRESET") resolve(sendOver(agent, server, request));
      else reject(error);
    });
    sent.end(body);
  });
}

async function* untilAborted(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
