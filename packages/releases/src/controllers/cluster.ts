// Watches: Clusters, and whether they can be reached.
// Writes:  the Cluster's status and finalizer.
// Never:   anything on the cluster itself.
import { Cluster } from "@chaski/api";
import { defined, keyOf } from "@chaski/kube";
import { type AnyController, defineController, type Gathering } from "@chaski/runtime";
import { type ClusterReportWorld, decideCluster } from "../engine/decide-cluster.ts";
import { contactOf } from "./contact.ts";

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
