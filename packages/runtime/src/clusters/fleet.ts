import type { ClusterView } from "./cluster.ts";

/** The clusters that controllers work on, as they come and go. */
export interface Fleet {
  /** The delivery cluster first. */
  readonly clusters: readonly ClusterView[];
  /** Visits each cluster, now and when one joins; what the visit returns is called when that cluster leaves. */
  visit(visit: (cluster: ClusterView) => () => void): () => void;
  /** Called when a cluster has joined, left or changed its reachability. */
  onChange(listener: (cluster: string) => void): () => void;
}

/** The fleet of a controller that works on the delivery cluster alone. */
export function fleetOf(delivery: ClusterView): Fleet {
  return {
    clusters: [delivery],
    visit: (visit) => visit(delivery),
    onChange: () => () => {},
  };
}
