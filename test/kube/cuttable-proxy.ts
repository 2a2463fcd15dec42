// A TCP proxy on loopback that fails in the ways a network does.
import { connect, createServer, type Server, type Socket } from "node:net";
import { type Random, seededRandom } from "@chaski/clock";

/** What becomes of a connection from here on. */
type Mode =
  | { readonly name: "pass" }
  /** Bytes are swallowed both ways; nothing is closed. */
  | { readonly name: "black-hole" }
  /** Each connection is reset after a number of the server's bytes, drawn anew for each. */
  | { readonly name: "cut"; readonly drawBytes: () => number };

interface Connection {
  readonly client: Socket;
  readonly upstream: Socket;
  mode: Mode;
  bytesLeft: number;
}

export class CuttableProxy {
  readonly #target: { readonly host: string; readonly port: number };
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  #port = 0;
  #mode: Mode = { name: "pass" };
  #delayMs = 0;
  #opened = 0;
  #cuts = 0;

  private constructor(target: string) {
    const { hostname, port } = new URL(target);
    this.#target = { host: hostname, port: Number(port) };
    this.#server = createServer({ allowHalfOpen: false }, (client) => this.#accept(client));
  }

  /** In front of a server such as `https://127.0.0.1:6443`. */
  static async start(target: string): Promise<CuttableProxy> {
    const proxy = new CuttableProxy(target);
    await proxy.#listen();
    return proxy;
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  /** Connections accepted since the start. */
  get connectionsOpened(): number {
    return this.#opened;
  }

  get connectionsOpen(): number {
    return this.#connections.size;
  }

  /** How many connections `cut` and `cutAfter` have reset. */
  get cuts(): number {
    return this.#cuts;
  }

  /** Resets all connections now; new ones work. */
  cut(): void {
    for (const connection of this.#connections) this.#reset(connection);
  }

  /**
   * Resets every connection, those that are open and those to come, after the server has sent it a random number of
   * further bytes below the limit. A TLS handshake alone takes about 2,000.
   */
  cutAfter(bytesMax: number, random: Random = seededRandom(1)): void {
    this.#setMode({ name: "cut", drawBytes: () => Math.floor(random() * bytesMax) });
  }

  /** Swallows every byte of all connections, and of new ones, which are still accepted. */
  blackHole(): void {
    this.#setMode({ name: "black-hole" });
  }

  /** Resets all connections and refuses new ones. */
  async refuse(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Delivers every byte later, both ways, in order. */
  delay(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  /** Works again. What fell into a black hole stays there: bytes are missing, so those connections never recover. */
  async resume(): Promise<void> {
    this.#delayMs = 0;
    this.#mode = { name: "pass" };
    for (const connection of this.#connections) {
      if (connection.mode.name === "cut") {
        connection.mode = this.#mode;
        connection.bytesLeft = bytesUntilCut(this.#mode);
      }
    }
    if (!this.#server.listening) await this.#listen();
  }

  async stop(): Promise<void> {
    for (const { client, upstream } of this.#connections) {
      client.destroy();
      upstream.destroy();
    }
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** The first time on a port of the OS's choice, later on the same again. */
  async #listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.#port, "127.0.0.1", resolve);
    });
    const address = this.#server.address();
    if (address !== null && typeof address === "object") this.#port = address.port;
  }

  #setMode(mode: Mode): void {
    this.#mode = mode;
    for (const connection of this.#connections) {
      connection.mode = mode;
      connection.bytesLeft = bytesUntilCut(mode);
    }
  }

  #accept(client: Socket): void {
    this.#opened++;
    const upstream = connect(this.#target);
    const connection: Connection = { client, upstream, mode: this.#mode, bytesLeft: bytesUntilCut(this.#mode) };
    this.#connections.add(connection);
    client.on("close", () => this.#connections.delete(connection));
    client.on("close", () => upstream.destroy());
    this.#forward(connection, client, upstream);
    this.#forward(connection, upstream, client);
  }

  /** Copies one direction, in order, however the delay changes on the way. */
  #forward(connection: Connection, from: Socket, to: Socket): void {
    const isSwallowed = (): boolean => connection.mode.name === "black-hole";
    let tail: Promise<void> | undefined;
    const inOrder = (act: () => void): void => {
      if (this.#delayMs === 0 && tail === undefined) return act();
      const dueMs = performance.now() + this.#delayMs;
      const mine: Promise<void> = (tail ?? Promise.resolve()).then(async () => {
        await new Promise((resolve) => setTimeout(resolve, dueMs - performance.now()));
        act();
        if (tail === mine) tail = undefined;
      });
      tail = mine;
    };
    from.setNoDelay(true);
    from.on("error", () => {});
    from.on("data", (chunk: Buffer) => {
      if (isSwallowed()) return;
      inOrder(() => (from === connection.upstream ? this.#toClient(connection, chunk) : write(from, to, chunk)));
    });
    from.on("close", () => {
      if (!isSwallowed()) inOrder(() => to.destroySoon());
    });
  }

  /** The bytes before a cut have to arrive, or every cut would fall between two packets. */
  #toClient(connection: Connection, chunk: Buffer): void {
    const { client, upstream, bytesLeft } = connection;
    connection.bytesLeft = Math.max(0, bytesLeft - chunk.length);
    if (connection.bytesLeft > 0) return write(upstream, client, chunk);
    upstream.pause();
    client.write(chunk.subarray(0, bytesLeft), () => this.#reset(connection));
  }

  #reset(connection: Connection): void {
    if (!this.#connections.delete(connection)) return;
    this.#cuts++;
    connection.client.resetAndDestroy();
    connection.upstream.resetAndDestroy();
  }
}

function write(from: Socket, to: Socket, chunk: Buffer): void {
  if (to.destroyed || to.write(chunk)) return;
  from.pause();
  to.once("drain", () => from.resume());
}

function bytesUntilCut(mode: Mode): number {
  return mode.name === "cut" ? mode.drawBytes() : Number.POSITIVE_INFINITY;
}
