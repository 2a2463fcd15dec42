import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { scheduler } from "node:timers/promises";
import type { TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";
import type { Transport, TransportRequest, TransportResponse } from "@chaski/kube";
import { createAuthority } from "@chaski/pki";
import { afterEach, describe, expect, test } from "vitest";
import { type Handler, startServer, type TestServer } from "../../test/http-server.ts";
import { type Endpoint, type TlsMaterial, undiciTransport } from "./undici-transport.ts";

const authority = createAuthority({ name: "test", clock: { now: () => Date.UTC(2026, 10, 15) }, days: 3_650 });
const serverPair = authority.issue({
  commonName: "server",
  usage: "server",
  days: 3_650,
  ipAddresses: ["127.0.0.1"],
  dnsNames: ["api.internal"],
});

const cleanups: (() => PromiseLike<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function serving(handler: Handler, tls?: Parameters<typeof startServer>[1]): Promise<TestServer> {
  const server = await startServer(handler, tls);
  cleanups.push(() => server[Symbol.asyncDispose]());
  return server;
}

const servingTls = (handler: Handler): Promise<TestServer> =>
  serving(handler, {
    cert: serverPair.certificate,
    key: serverPair.key,
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: false,
  });

function transportTo(endpoint: Endpoint): Transport {
  const transport = undiciTransport(endpoint);
  cleanups.push(() => transport.close());
  return transport;
}

const get = (transport: Transport, path = "/", more: Partial<TransportRequest> = {}): Promise<TransportResponse> =>
  transport.send({ method: "GET", path, headers: {}, ...more });

async function textOf(response: Promise<TransportResponse>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of (await response).body) parts.push(part);
  return Buffer.concat(parts).toString();
}

const peerOf = (request: { socket: Socket }): string => {
  const { subject } = (request.socket as TLSSocket).getPeerCertificate();
  return String(subject?.CN ?? "nobody");
};

describe("connections", () => {
  test("32 calls run at once, the others wait in line, and a watch passes them all", async () => {
    const waiting: (() => void)[] = [];
    let isOpen = false;
    const server = await serving((request, response) => {
      const answer = (): void => void response.end("answered");
      if (isOpen || request.url?.includes("watch")) answer();
      else waiting.push(answer);
    });
    const transport = transportTo({ server: server.url, tls: {} });
    const calls = Array.from({ length: 40 }, () => textOf(get(transport)));
    expect(await textOf(get(transport, "/?watch=true"))).toBe("answered");
    await expect.poll(() => waiting.length).toBe(32);
    isOpen = true;
    for (const answer of waiting) answer();
    expect(new Set(await Promise.all(calls))).toEqual(new Set(["answered"]));
    expect(server.requests).toHaveLength(41);
    expect(server.connections).toBeLessThanOrEqual(34);
  });

  test("a call that gives up while it waits in line frees nobody else's place", async () => {
    const server = await serving(() => {});
    const transport = transportTo({ server: server.url, tls: {} });
    const calls = Array.from({ length: 32 }, () => get(transport).catch(() => "ended"));
    const leaving = new AbortController();
    const waiting = get(transport, "/", { signal: leaving.signal });
    leaving.abort(new Error("left"));
    await expect(waiting).rejects.toThrow("left");
    await transport.close();
    expect(new Set(await Promise.all(calls))).toEqual(new Set(["ended"]));
  });

  test("an abort ends the request at once, also while the connection is still being opened", async () => {
    const sockets: Socket[] = [];
    const blackHole = createServer((socket) => void sockets.push(socket)).listen(0, "127.0.0.1");
    cleanups.push(async () => {
      sockets.forEach((socket) => socket.destroy());
      blackHole.close();
    });
    await expect.poll(() => blackHole.listening).toBe(true);
    const { port } = blackHole.address() as { port: number };
    const transport = transportTo({ server: `https://127.0.0.1:${port}`, tls: {} });
    const stop = new AbortController();
    const call = get(transport, "/", { signal: stop.signal });
    await expect.poll(() => sockets.length).toBe(1);
    stop.abort(new Error("too late"));
    await expect(call).rejects.toThrow();
  });

  test("an abort in the middle of a body ends it", async () => {
    const server = await serving((_, response) => response.write("first"));
    const stop = new AbortController();
    const { body } = await get(transportTo({ server: server.url, tls: {} }), "/?watch=true", { signal: stop.signal });
    const reading = (async () => {
      for await (const _ of body) stop.abort(new Error("enough"));
    })();
    await expect(reading).rejects.toThrow();
  });

  test("a watch that is read slowly arrives whole", async () => {
    const sent = 8 * 2 ** 20;
    const server = await serving((_, response) => response.end(Buffer.alloc(sent)));
    const { body } = await get(transportTo({ server: server.url, tls: {} }), "/?watch=true");
    let arrived = 0;
    for await (const chunk of body) {
      await scheduler.yield();
      arrived += chunk.length;
    }
    expect(arrived).toBe(sent);
  });

  test("what came before a watch was cut is read before the cut is told", async () => {
    const server = await serving((_, response) => response.write("first", () => response.socket?.destroy()));
    const { body } = await get(transportTo({ server: server.url, tls: {} }), "/?watch=true");
    const read: string[] = [];
    const reading = (async () => {
      for await (const chunk of body) read.push(Buffer.from(chunk).toString());
    })();
    await expect(reading).rejects.toThrow();
    expect(read).toEqual(["first"]);
  });

  test("after close nothing is sent, and what was under way has failed", async () => {
    const server = await serving(() => {});
    const transport = transportTo({ server: server.url, tls: {} });
    const hanging = get(transport);
    await expect.poll(() => server.requests.length).toBe(1);
    await transport.close();
    await expect(hanging).rejects.toThrow();
    await expect(get(transport)).rejects.toMatchObject({ code: "UND_ERR_CLOSED" });
  });

  test("a server below a path, and headers that stand several times", async () => {
    const server = await serving((request, response) =>
      response.end(
        `${request.url} ${request.rawHeaders.filter((_, index, all) => all[index - 1] === "impersonate-group").join("+")}`,
      ),
    );
    const transport = transportTo({ server: `${server.url}/k8s/clusters/west/`, tls: {} });
    const repeatedHeaders = { "impersonate-group": ["a", "b"] };
    expect(await textOf(get(transport, "/livez", { repeatedHeaders }))).toBe("/k8s/clusters/west/livez a+b");
  });
});

describe("compression", () => {
  const big = JSON.stringify({ text: "grün ".repeat(10_000) });
  const handler: Handler = (request, response) => {
    if (request.headers["accept-encoding"] !== "gzip") return void response.end("plain");
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(big));
  };

  test("is asked for and undone, but not for watches and not on loopback", async () => {
    const server = await serving(handler);
    const remote = transportTo({ server: server.url, tls: {}, isCompressed: true });
    expect(await textOf(get(remote))).toBe(big);
    expect(await textOf(get(remote, "/?watch=true"))).toBe("plain");
    expect(await textOf(get(transportTo({ server: server.url, tls: {} })))).toBe("plain");
  });

  test("a compressed body that is cut fails its reader", async () => {
    const server = await serving((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.write(gzipSync(big).subarray(0, 40), () => response.destroy());
    });
    await expect(textOf(get(transportTo({ server: server.url, tls: {}, isCompressed: true })))).rejects.toThrow();
  });
});

describe("TLS", () => {
  test.each<{ what: string; tls: TlsMaterial; code?: string }>([
    { what: "the right authority", tls: { ca: authority.certificate } },
    {
      what: "the right authority and another name of the server",
      tls: { ca: authority.certificate, serverName: "api.internal" },
    },
    { what: "no verification", tls: { isInsecure: true } },
    { what: "no authority", tls: {}, code: "SELF_SIGNED_CERT_IN_CHAIN" },
    {
      what: "a name that the server does not have",
      tls: { ca: authority.certificate, serverName: "elsewhere" },
      code: "ERR_TLS_CERT_ALTNAME_INVALID",
    },
  ])("$what: $code", async ({ tls, code }) => {
    const server = await servingTls((_, response) => response.end("ok"));
    const answer = textOf(get(transportTo({ server: server.url, tls })));
    if (code === undefined) expect(await answer).toBe("ok");
    else await expect(answer).rejects.toMatchObject({ code });
  });

  test("a renewed client certificate is used from the next request on, over new connections", async () => {
    const material = (name: string): TlsMaterial => {
      const { certificate, key } = authority.issue({ commonName: name, usage: "client", days: 3_650 });
      return { ca: authority.certificate, cert: certificate, key };
    };
    let current = material("old");
    const server = await servingTls((request, response) => response.end(peerOf(request)));
    const transport = transportTo({ server: server.url, tls: () => Promise.resolve(current) });
    expect([await textOf(get(transport)), await textOf(get(transport))]).toEqual(["old", "old"]);
    current = material("new");
    expect([await textOf(get(transport)), await textOf(get(transport))]).toEqual(["new", "new"]);
  });

  test("by way of a proxy, the client certificate still reaches the server", async () => {
    const tunnels: string[] = [];
    const proxy = createHttpServer().listen(0, "127.0.0.1");
    proxy.on("connect", (request: { url: string }, socket: Socket) => {
      tunnels.push(request.url);
      const upstream = connect(Number(request.url.split(":")[1]), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        upstream.pipe(socket).pipe(upstream);
      });
      socket.on("error", () => upstream.destroy());
      upstream.on("error", () => socket.destroy());
    });
    cleanups.push(async () => proxy.close());
    await expect.poll(() => proxy.listening).toBe(true);
    const server = await servingTls((request, response) => response.end(peerOf(request)));
    const { certificate: cert, key } = authority.issue({ commonName: "ada", usage: "client", days: 3_650 });
    const transport = transportTo({
      server: server.url,
      proxyUrl: `http://127.0.0.1:${(proxy.address() as { port: number }).port}`,
      tls: { ca: authority.certificate, cert, key },
    });
    expect(await textOf(get(transport))).toBe("ada");
    expect(await textOf(get(transport))).toBe("ada");
    expect(tunnels).toEqual([new URL(server.url).host]);
  });
});
