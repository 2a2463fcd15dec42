import type { Caches, ClusterCaches } from "../cache/cache.ts";
import type { Client } from "../client/client.ts";

/**
 * What is known of a cluster's reachability. Unobserved is never absent: the last values stay, with their age. `sinceMs`
 * is when (since 1970) all that we watch there was last known to be up to date.
 */
export type Reachability =
  | { readonly state: "observed" }
  | { readonly state: "stale"; readonly sinceMs: number }
  | { readonly state: "unreachable"; readonly sinceMs: number; readonly cause: string };

/** One cluster as controllers see it. The delivery cluster is one too, named `LOCAL_CLUSTER`. */
export interface ClusterView {
  readonly name: string;
  readonly reachability: Reachability;
  /** What is wrong with its definition or its new credentials, for people. */
  readonly problem?: string | undefined;
  /** As the API server says: `1.35`. Undefined until it was asked. */
  readonly version?: string | undefined;
  readonly caches: Caches;
}

export interface ConnectedCluster extends ClusterView {
  readonly client: Client;
  /** Told of every write, so that nobody acts on what they showed before it. */
  readonly caches: Caches & Pick<ClusterCaches, "wrote">;
}

export { LOCAL_CLUSTER } from "../decision/decision.ts";
