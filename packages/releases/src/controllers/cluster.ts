// Watches: Clusters, and whether they can be reached.
// Writes:  the Cluster's status and finalizer.
// Never:   anything on the cluster itself.
import { Cluster } from "@chaski/api";
import { defined, keyOf } from "@chaski/kube";
import { type AnyController, type ClusterView, defineController, type Gathering } from "@chaski/runtime";
import { type ClusterReportWorld, decideCluster } from "../engine/decide-cluster.ts";
import type { Contact } from "../engine/world.ts";

export function clusterController(): AnyController {
  return defineController({
    name: "releases.cluster",
    kind: Cluster,
    owns: [],
    wakeOn: [],
    wakeOnCluster: ({ cluster }) => [cluster],
    gather: gatherCluster,
    decide: decideCluster,
    concurrency: 4,
  });
}

function gatherCluster({ object: cluster, nowMs, clusters }: Gathering<Cluster>): ClusterReportWorld {
  const view = clusters.find(({ name }) => name === keyOf(cluster.metadata));
  if (!view) return { nowMs, cluster };
  const { problem, version } = view;
  return { nowMs, cluster, contact: contactOf(view), ...defined({ problem, version }) };
}

function contactOf({ reachability }: ClusterView): Contact {
  switch (reachability.state) {
    case "observed":
      return { state: "observed" };
    case "stale":
      return { state: "stale", lastHeardMs: reachability.sinceMs };
    case "unreachable":
      return { state: "unreachable", lastHeardMs: reachability.sinceMs, cause: reachability.cause };
  }
}
