// What an incarnation that leaves waits for.
import type { Gate } from "@chaski/runtime/decision";
import { drainedAtMs } from "./draining.ts";
import type { Gating } from "./gating.ts";
import type { Incarnation } from "./incarnation.ts";
import { earliestAt, sinceOf } from "./time-text.ts";

export function drainGates({ tag, state, status }: Incarnation, { around }: Gating): readonly Gate[] {
  if (status.currentPercent > 0) {
    const message = `${tag} is ${state} and has ${status.currentPercent} % of the traffic until another can take it`;
    return [
      {
        name: "Drained",
        verdict: "waiting",
        subject: tag,
        value: `${status.currentPercent} %`,
        threshold: "0 %",
        message,
        unblock: "another revision has the pods to take its traffic",
        ...sinceOf(status.state.lastUpdated),
      },
    ];
  }
  return around.fleet.clusters.flatMap((cluster) => {
    const atMs = drainedAtMs(status, cluster, around.drain);
    if (atMs !== undefined && atMs <= around.world.nowMs) return [];
    const message =
      atMs === undefined
        ? `a route of cluster ${cluster.name} still names ${tag}`
        : `the last requests of ${tag} drain on cluster ${cluster.name}`;
    return [
      {
        name: "Drained",
        verdict: "waiting" as const,
        subject: tag,
        cluster: cluster.name,
        message,
        unblock: atMs === undefined ? "the route of the cluster is written" : "time passes",
        ...sinceOf(status.unrouted?.find((entry) => entry.cluster === cluster.name)?.since ?? status.state.lastUpdated),
        ...earliestAt(atMs),
      },
    ];
  });
}
