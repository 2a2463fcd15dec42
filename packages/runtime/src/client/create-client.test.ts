import { setImmediate } from "node:timers/promises";
import { RealClock, seededRandom } from "@chaski/clock";
import { defineKind, type KubeObject } from "@chaski/kube";
import { expect, test, vi } from "vitest";
import { type Handler, json, startServer, status, type TestServer } from "../../test/http-server.ts";
import { type ClientSettings, createClient } from "./create-client.ts";
import { undiciTransport } from "./undici-transport.ts";

interface Deployment extends KubeObject {
  readonly spec: { readonly replicas?: number };
}

const Deployment = defineKind<Deployment>({
  group: "apps",
  version: "v1",
  kind: "Deployment",
  plural: "deployments",
  isNamespaced: true,
});

const web = { namespace: "shop", name: "web" };
const object = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { ...web, resourceVersion: "7" },
  spec: { replicas: 3 },
};

async function connected(handler: Handler, settings: Partial<ClientSettings> = {}) {
  const server: TestServer = await startServer(handler);
  const transport = undiciTransport({ server: server.url, tls: {} });
  const client = createClient({
    cluster: "west",
    transport,
    clock: new RealClock(),
    random: seededRandom(1),
    ...settings,
  });
  return {
    server,
    client,
    deployments: client.of(Deployment),
    async [Symbol.asyncDispose]() {
      await client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

test("a thousand sequential reads open no new connection", async () => {
  await using world = await connected((_, response) => json(response, 200, object));
  for (let round = 0; round < 10; round++) await world.deployments.get(web);
  const opened = world.server.connections;
  for (let round = 0; round < 1_000; round++) await world.deployments.get(web);
  expect(opened).toBeLessThanOrEqual(2);
  expect(world.server.connections).toBe(opened);
});

test("a missing object and an unknown kind are both NotFound, and told apart", async () => {
  await using world = await connected((request, response) => {
    if (request.url?.endsWith("/web"))
      json(response, 404, status(404, "NotFound", { details: { name: "web", kind: "deployments" } }));
    else response.writeHead(404, { "content-type": "text/plain" }).end("404 page not found\n");
  });
  await expect(world.deployments.get(web)).rejects.toMatchObject({ reason: "NotFound", isKindMissing: false });
  await expect(world.deployments.list()).rejects.toMatchObject({ reason: "NotFound", isKindMissing: true });
});

test("a watch hands over events in batches, however the bytes are cut, and drops a cut last line", async () => {
  const line = (type: string, name: string): string =>
    `${JSON.stringify({ type, object: { ...object, metadata: { name } } })}\n`;
  const bytes = Buffer.from(line("ADDED", "grün") + line("MODIFIED", "💚") + '{"type":"DELETED","obj');
  await using world = await connected((_, response) => {
    response.writeHead(200);
    for (const byte of bytes) response.write(Buffer.from([byte]));
    response.end();
  });
  const seen: string[] = [];
  await world.deployments.watch({ signal: new AbortController().signal }, (batch) => {
    seen.push(...batch.map(({ type, object }) => `${type} ${object.metadata.name}`));
    return undefined;
  });
  expect(seen).toEqual(["ADDED grün", "MODIFIED 💚"]);
});

test("a watch waits for a handler that takes its time, however much the server has sent, and keeps the order", async () => {
  const names = Array.from({ length: 300 }, (_, number) => `web-${number}`);
  await using world = await connected((_, response) => {
    response.writeHead(200);
    for (const name of names) response.write(eventLine(name, "x".repeat(1_000)));
    response.end();
  });
  const seen: string[] = [];
  let handling = 0;
  await world.deployments.watch({ signal: new AbortController().signal }, async (batch) => {
    handling += 1;
    expect(handling).toBe(1);
    await setImmediate();
    seen.push(...batch.map((event) => event.object.metadata.name));
    handling -= 1;
  });
  expect(seen).toEqual(names);
});

test.each([
  { when: "at once", hear: (error: Error) => () => raise(error) },
  { when: "later", hear: (error: Error) => () => setImmediate().then(() => raise(error)) },
])("what the handler of a watch throws $when ends the watch as it is, and nothing more is heard", async ({ hear }) => {
  await using world = await connected((_, response) => {
    response.writeHead(200);
    for (const name of ["web-1", "web-2", "web-3"]) response.write(eventLine(name));
  });
  const problem = new Error("the handler's own");
  const handler = vi.fn(hear(problem));
  await expect(world.deployments.watch({ signal: new AbortController().signal }, handler)).rejects.toBe(problem);
  await setImmediate();
  expect(handler).toHaveBeenCalledOnce();
});

function eventLine(name: string, filling = ""): string {
  return `${JSON.stringify({ type: "ADDED", object: { ...object, metadata: { name, labels: { filling } } } })}\n`;
}

function raise(error: Error): never {
  throw error;
}
