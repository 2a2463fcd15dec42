// A fleet to release on: one delivery cluster, and clusters that run workloads.
import type { Client } from "@chaski/runtime";
import type { Call } from "../canaries/tally.ts";

export interface GroundTarget {
  readonly name: string;
  /** For the bench itself, in the process where that can be. */
  readonly client: Client;
}

export interface FleetGround extends AsyncDisposable {
  readonly name: string;
  readonly delivery: Client;
  readonly targets: readonly GroundTarget[];
  /** To every target, over the network as the operator's. */
  readonly bare: readonly Client[];
  /** Of the delivery cluster; the others are joined. */
  readonly kubeconfigPath: string;
  /** All that the operator has called so far, on every cluster, watches when they begin. */
  calls(): Promise<readonly FleetCall[]>;
}

export interface FleetCall extends Call {
  readonly cluster: string;
}

/** What it costs to be there at all: watches, the lease, signs of life. */
export function isUpkeep({ words, isProbe }: FleetCall): boolean {
  return isProbe || /^watch | leases /.test(words);
}
