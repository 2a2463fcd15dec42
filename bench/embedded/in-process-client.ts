import type { Transport } from "@chaski/kube";
import { countLines, type LoadAnswer, type LoadClient, type LoadRequest } from "./client.ts";

export class InProcessClient implements LoadClient {
  readonly #transport: Transport;
  readonly #closing = new AbortController();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async send({ method, path, contentType = "application/json", body }: LoadRequest): Promise<LoadAnswer> {
    const headers = { accept: "application/json", "user-agent": "bench/1.0", "content-type": contentType };
    const answer = await this.#transport.send({ method, path, headers, ...(body !== undefined && { body }) });
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    return { status: answer.status, body: Buffer.concat(chunks) };
  }

  async watch(path: string, onEvents: (count: number) => void): Promise<void> {
    const headers = { accept: "application/json" };
    const answer = await this.#transport.send({ method: "GET", path, headers, signal: this.#closing.signal });
    if (answer.status !== 200) throw new Error(`the watch was answered with ${answer.status}`);
    void readAll(answer.body, onEvents);
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }
}

async function readAll(body: AsyncIterable<Uint8Array>, onEvents: (count: number) => void): Promise<void> {
  for await (const bytes of body) onEvents(countLines(bytes));
}
