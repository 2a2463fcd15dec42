import { hash } from "node:crypto";
import type { Clock, Random } from "@chaski/clock";
import type { Transport } from "@chaski/kube";
import type { Client } from "../client/client.ts";
import { type ClientSettings, createClient } from "../client/create-client.ts";
import type { Credentials, Identity } from "../client/credentials.ts";
import { type Endpoint, undiciTransport } from "../client/undici-transport.ts";

/** All that it takes to talk to one cluster as one user. Never changes: another context is another connection. */
export interface Connection {
  /** The context's name. */
  readonly name: string;
  /** Where it was written, for messages: `context west of /root/.kube/config`. */
  readonly origin: string;
  readonly endpoint: Endpoint;
  readonly credentials?: Credentials;
  readonly impersonate?: Identity;
  readonly namespace?: string;
  /** Another one when server, trust or credentials are others; tells nothing about them. */
  readonly fingerprint: string;
}

export interface ConnectOptions extends Pick<ClientSettings, "rateLimit" | "onRequest" | "userAgent"> {
  readonly clock: Clock;
  readonly random: Random;
  /** Names the cluster in messages and metrics; the context's name unless given. */
  readonly cluster?: string;
  /** Around what is sent to the server, such as `fencedTransport`. */
  readonly wrapTransport?: (transport: Transport) => Transport;
}

export function connect(connection: Connection, options: ConnectOptions): Client {
  const { name, origin, endpoint, credentials, impersonate } = connection;
  const { wrapTransport = (transport) => transport, ...settings } = options;
  return createClient({
    cluster: name,
    ...settings,
    origin,
    transport: wrapTransport(undiciTransport(endpoint)),
    ...(credentials && { credentials }),
    ...(impersonate && { impersonate }),
  });
}

export function fingerprintOf(parts: readonly unknown[]): string {
  return hash("sha256", JSON.stringify(parts)).slice(0, 32);
}
