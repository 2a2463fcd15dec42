import type { Identity } from "../client/credentials.ts";
import { undiciTransport } from "../client/undici-transport.ts";
import type { Connection } from "../kubeconfig/connection.ts";
import type { Link } from "./rotating-link.ts";

/** A cluster as somebody defined it. */
export interface ClusterDefinition {
  readonly name: string;
  /** Another one is another cluster: what was known of the old one is worth nothing. */
  readonly identity: string;
  /** Another one means other credentials for the same cluster. */
  readonly fingerprint: string;
  /** Where it was written, for messages. */
  readonly origin?: string;
  readonly impersonate?: Identity;
  /** What is wrong with the way it is defined now. */
  readonly problem?: string;
  /** Makes the connections; nothing is sent yet. */
  open(): Link;
}

export function definedBy(name: string, connection: Connection): ClusterDefinition {
  const { endpoint, credentials, impersonate, origin, fingerprint } = connection;
  return {
    name,
    identity: JSON.stringify([endpoint.server, impersonate ?? null]),
    fingerprint,
    origin,
    ...(impersonate && { impersonate }),
    open: () => ({ transport: undiciTransport(endpoint), ...(credentials && { credentials }) }),
  };
}

export const UNUSABLE = "unusable";

/** A cluster that can't be connected to as it is defined: part of the fleet, unreachable, with this as the cause. */
export function unusable(name: string, problem: Error): ClusterDefinition {
  const refuse = (): Promise<never> => Promise.reject(problem);
  const link: Link = {
    transport: { send: refuse, close: () => Promise.resolve() },
    credentials: { authorization: refuse, refuse: () => false },
  };
  return { name, identity: UNUSABLE, fingerprint: problem.message, problem: problem.message, open: () => link };
}
