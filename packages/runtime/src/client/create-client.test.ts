import { RealClock, seededRandom } from "@chaski/clock";
import { defineKind, type KubeObject } from "@chaski/kube";
import { expect, test } from "vitest";
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

test("a watch yields events in batches, however the bytes are cut, and drops a cut last line", async () => {
  const line = (type: string, name: string): string =>
    `${JSON.stringify({ type, object: { ...object, metadata: { name } } })}\n`;
  const bytes = Buffer.from(line("ADDED", "grün") + line("MODIFIED", "💚") + '{"type":"DELETED","obj');
  await using world = await connected((_, response) => {
    response.writeHead(200);
    for (const byte of bytes) response.write(Buffer.from([byte]));
    response.end();
  });
  const seen: string[] = [];
  for await (const batch of world.deployments.watch({ signal: new AbortController().signal })) {
    seen.push(...batch.map(({ type, object }) => `${type} ${object.metadata.name}`));
  }
  expect(seen).toEqual(["ADDED grün", "MODIFIED 💚"]);
});
