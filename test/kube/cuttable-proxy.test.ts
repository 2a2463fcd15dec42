import { connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CuttableProxy } from "./cuttable-proxy.ts";
import { until } from "./until.ts";

/** A server that repeats what it hears. */
let server: Server;
let proxy: CuttableProxy;
const clients: Client[] = [];

beforeEach(async () => {
  server = createServer((socket) => socket.on("error", () => {}).pipe(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  proxy = await CuttableProxy.start(`http://127.0.0.1:${address.port}`);
});

afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.destroy();
  await proxy.stop();
  await new Promise((resolve) => server.close(resolve));
});

class Client {
  readonly socket: Socket;
  heard = "";
  ending: string | undefined;

  constructor() {
    this.socket = connect(Number(new URL(proxy.url).port), "127.0.0.1");
    this.socket.on("data", (chunk) => (this.heard += String(chunk)));
    this.socket.on("error", (error: NodeJS.ErrnoException) => (this.ending = error.code));
    this.socket.on("close", () => (this.ending ??= "closed"));
    clients.push(this);
  }

  say(text: string): this {
    this.socket.write(text);
    return this;
  }

  hears(text: string): Promise<true> {
    return until(() => this.heard === text || undefined, {
      what: `to hear ${text}, not ${this.heard}`,
      withinMs: 2_000,
    });
  }

  ends(how: string): Promise<true> {
    return until(() => this.ending === how || undefined, { what: `to end by ${how}, not ${this.ending}` });
  }
}

async function connected(): Promise<Client> {
  const client = new Client().say("hello");
  await client.hears("hello");
  return client;
}

describe("a cuttable proxy", () => {
  test("passes bytes both ways and counts connections", async () => {
    await Promise.all([connected(), connected()]);
    expect(proxy).toMatchObject({ connectionsOpened: 2, connectionsOpen: 2, cuts: 0 });
  });

  test("a cut resets what is open; new connections work", async () => {
    const client = await connected();
    proxy.cut();
    await client.ends("ECONNRESET");
    await connected();
    expect(proxy).toMatchObject({ connectionsOpened: 2, connectionsOpen: 1, cuts: 1 });
  });

  test("cutAfter resets each connection in the middle of what the server sends", async () => {
    proxy.cutAfter(1_000, () => 0.3);
    const client = new Client().say("x".repeat(1_000));
    await client.ends("ECONNRESET");
    expect(client.heard).toHaveLength(300);
  });

  test("cutAfter counts for connections that are open already, until resume", async () => {
    const [first, second] = [await connected(), await connected()];
    proxy.cutAfter(10, () => 0.5);
    await first.say("0123456789").ends("ECONNRESET");
    expect(first.heard).toBe("hello01234");
    await proxy.resume();
    await second.say("0123456789").hears("hello0123456789");
  });

  test("a black hole swallows and closes nothing, and what fell into it stays there", async () => {
    const before = await connected();
    proxy.blackHole();
    const during = new Client();
    await until(() => proxy.connectionsOpened === 2 || undefined, { what: "the connection is accepted" });
    before.say("lost");
    during.say("lost");
    await proxy.resume();
    await connected();
    before.say("lost too");
    await connected();
    expect([before.heard, before.ending]).toEqual(["hello", undefined]);
    expect([during.heard, during.ending]).toEqual(["", undefined]);
  });

  test("refuses until it is resumed, then serves the same port", async () => {
    const client = await connected();
    const { url } = proxy;
    await proxy.refuse();
    await client.ends("ECONNRESET");
    await new Client().ends("ECONNREFUSED");
    await proxy.resume();
    await connected();
    expect(proxy.url).toBe(url);
  });

  test("a delay holds every byte back, both ways, in order", async () => {
    const client = await connected();
    proxy.delay(40);
    const startMs = performance.now();
    client.say("1").say("2");
    await client.hears("hello12");
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(80);
  });
});
