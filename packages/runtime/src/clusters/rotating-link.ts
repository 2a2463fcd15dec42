import type { Transport, TransportRequest, TransportResponse } from "@chaski/kube";
import type { Credentials } from "../client/credentials.ts";

/** One way to one cluster: its connections, and who we are on them. */
export interface Link {
  readonly transport: Transport;
  readonly credentials?: Credentials;
}

/** A link whose connections can be replaced while calls go on: client and caches above it notice a cut watch at most. */
export class RotatingLink implements Transport, Credentials {
  #current: Link;

  constructor(link: Link) {
    this.#current = link;
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    return this.#current.transport.send(request);
  }

  authorization(signal: AbortSignal): Promise<string | undefined> {
    return this.#current.credentials?.authorization(signal) ?? Promise.resolve(undefined);
  }

  refuse(authorization: string | undefined): boolean {
    return this.#current.credentials?.refuse(authorization) ?? false;
  }

  /** New requests take the new link at once; what is under way on the old one is cut. */
  async switchTo(link: Link): Promise<void> {
    const old = this.#current;
    this.#current = link;
    await old.transport.close();
  }

  close(): Promise<void> {
    return this.#current.transport.close();
  }
}
