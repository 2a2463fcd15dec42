import { apiVersionOf } from "@chaski/kube";
import type { App } from "./app.ts";
import { DatadogMetric, type SpecObject } from "./kinds.ts";
import { incarnationLabels } from "./labels.ts";

/** The tag's request rate on this cluster, for a KEDA trigger that asks Datadog for it. */
export function buildDatadogMetric(app: App, tag: string, cluster: string): SpecObject {
  // The fleet knows a cluster by its object's key, Datadog by its name.
  const name = cluster.slice(cluster.lastIndexOf("/") + 1);
  const scope = `reporter:destination, cluster:${name}, kube_namespace:${app.namespace}, version:${tag}`;
  return {
    apiVersion: apiVersionOf(DatadogMetric),
    kind: DatadogMetric.kind,
    metadata: { name: tag, namespace: app.namespace, labels: incarnationLabels(app, tag) },
    spec: { query: `avg:istio.mesh.request.count{${scope}}.rollup(count, 120)` },
  };
}
