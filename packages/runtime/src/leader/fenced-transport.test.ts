import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TransportRequest } from "@chaski/kube";
import { expect, test } from "vitest";
import { undiciTransport } from "../client/undici-transport.ts";
import { fencedTransport, NotLeadingError } from "./fenced-transport.ts";

const write: TransportRequest = { method: "POST", path: "/x", headers: {}, body: "{}" };

/** A server that remembers what arrived, and a transport to it. */
async function setUp() {
  const arrived: string[] = [];
  const server = createServer((request, response) => {
    arrived.push(request.method ?? "");
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const transport = undiciTransport({ server: `http://127.0.0.1:${port}`, tls: {} });
  const close = async (): Promise<void> => {
    await transport.close();
    server.close();
  };
  return { arrived, transport, close };
}

test("the leader's writes go through, those of others do not; reads always do", async () => {
  const { arrived, transport, close } = await setUp();
  let isLeading = true;
  const fenced = fencedTransport(transport, () => isLeading);
  await fenced.send(write);
  isLeading = false;
  await expect(fenced.send(write)).rejects.toBeInstanceOf(NotLeadingError);
  await fenced.send({ ...write, method: "GET" });
  expect(arrived).toEqual(["POST", "GET"]);
  await close();
});

test("a write that lost its leader while it waited for a connection is not sent", async () => {
  const { arrived, transport, close } = await setUp();
  const asked: boolean[] = [];
  const fenced = fencedTransport(transport, () => asked.push(true) < 2);
  await expect(fenced.send(write)).rejects.toThrow(NotLeadingError);
  expect(asked).toHaveLength(2);
  await transport.send({ ...write, method: "GET" });
  expect(arrived).toEqual(["GET"]);
  await close();
});
