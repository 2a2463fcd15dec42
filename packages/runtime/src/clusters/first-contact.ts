import type { Clock } from "@chaski/clock";
import type { ClusterView } from "./cluster.ts";
import type { Fleet } from "./fleet.ts";

/** Enough for a cluster that answers at all; one that does not holds nobody up for longer. */
const PATIENCE_MS = 5_000;

export interface FirstContactOptions {
  readonly fleet: Fleet;
  /** Names of the clusters that the fleet is going to have. */
  readonly members: () => readonly string[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Whoever decides before it would take clusters for lost that were merely not asked yet. Never rejects. */
export async function firstContact({ fleet, members, clock, signal }: FirstContactOptions): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = (): void => {
    if (members().every((name) => isKnown(fleet.clusters.find((each) => each.name === name)))) resolve();
  };
  const stopListening = fleet.onChange(check);
  const timer = clock.after(PATIENCE_MS, resolve);
  signal.addEventListener("abort", () => resolve(), { once: true });
  check();
  await promise;
  timer.cancel();
  stopListening();
}

function isKnown(cluster: ClusterView | undefined): boolean {
  return cluster !== undefined && (cluster.reachability.state === "observed" || cluster.problem !== undefined);
}
