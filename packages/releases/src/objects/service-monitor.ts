import { releaseKeys, type ServiceLevelObjective, type ServiceMonitorInfo, type ServiceMonitorSpec } from "@chaski/api";
import { apiVersionOf } from "@chaski/kube";
import { metricNames } from "../promql/metric-names.ts";
import type { App } from "./app.ts";
import { compareText, filled, listOf } from "./filled.ts";
import { ServiceMonitor, type SpecObject } from "./kinds.ts";

/** Watches the app's namespace only; with the app's label, so that it can be found again (D-50). */
export function buildServiceMonitor(
  app: App,
  given: ServiceMonitorInfo,
  objectives: readonly ServiceLevelObjective[],
): SpecObject {
  const { name, annotations, sloRegex } = given;
  const labels = { ...given.labels, [releaseKeys.labels.app]: app.app };
  const spec = given.spec ?? {};
  return {
    apiVersion: apiVersionOf(ServiceMonitor),
    kind: ServiceMonitor.kind,
    metadata: filled({ name, namespace: app.namespace, labels, annotations }),
    spec: {
      ...spec,
      selector: spec["selector"] ?? {},
      endpoints: endpointsOf(spec, sloRegex ? metricsRegex(objectives) : ""),
      namespaceSelector: { matchNames: [app.namespace] },
    },
  };
}

type Endpoints = NonNullable<ServiceMonitorSpec["endpoints"]>;

function endpointsOf({ endpoints }: ServiceMonitorSpec, regex: string): Endpoints {
  return listOf(endpoints).map((endpoint) => {
    const relabelings = listOf(endpoint?.metricRelabelings);
    if (regex === "" || relabelings.length === 0) return endpoint;
    return { ...endpoint, metricRelabelings: relabelings.map((each) => (each?.regex ? each : { ...each, regex })) };
  });
}

/** Every metric that an objective asks for. A query that can't be read takes none of the others with it (D-68). */
export function metricsRegex(objectives: readonly ServiceLevelObjective[]): string {
  const queries = objectives.flatMap(({ serviceLevelIndicator }) => {
    const { totalQuery = "", errorQuery = "" } = serviceLevelIndicator ?? {};
    return [totalQuery, errorQuery];
  });
  const names = queries.flatMap((query) => {
    const read = metricNames(query);
    return read.ok ? read.value : [];
  });
  return [...new Set(names)].toSorted(compareText).join("|");
}
