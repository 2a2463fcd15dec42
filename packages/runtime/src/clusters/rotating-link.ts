import type { Clock, Timer } from "@chaski/clock";
import type { Transport, TransportRequest, TransportResponse } from "@chaski/kube";
import type { Credentials } from "../client/credentials.ts";

/** One way to one cluster: its connections, and who we are on them. */
export interface Link {
  readonly transport: Transport;
  readonly credentials?: Credentials;
}

/** Longer than any call's deadline. */
const OLD_LINK_SERVES_MS = 35_000;

/** A link that can be replaced while calls go on: client and caches above it notice a cut watch at most. */
export class RotatingLink implements Transport, Credentials {
  readonly #clock: Clock;
  readonly #old = new Map<Link, Timer>();
  #current: Link;

  constructor(clock: Clock, link: Link) {
    this.#clock = clock;
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

  /** New requests take the new link at once; calls under way may end on the old one before it is cut. */
  switchTo(link: Link): void {
    const old = this.#current;
    this.#current = link;
    const close = (): void => {
      this.#old.delete(old);
      old.transport.close().catch(() => undefined);
    };
    this.#old.set(old, this.#clock.after(OLD_LINK_SERVES_MS, close));
  }

  async close(): Promise<void> {
    for (const timer of this.#old.values()) timer.cancel();
    await Promise.all([this.#current, ...this.#old.keys()].map(({ transport }) => transport.close()));
  }
}
