import type { Service, ServicePort } from "@chaski/kube";
import type { RoutingPlan } from "../plan/plan.ts";
import type { App } from "./app.ts";
import { containerPortName } from "./container-ports.ts";
import { compareText, filled } from "./filled.ts";
import { appLabels, appSelector } from "./labels.ts";

/** There before any pod is ready. */
export function buildService(app: App, ports: RoutingPlan["ports"]): Service {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: app.app,
      namespace: app.namespace,
      labels: { ...appLabels(app), "prometheus.io/scrape": "true" },
    },
    spec: { ports: servicePorts(ports), selector: appSelector(app) },
  };
}

function servicePorts(ports: RoutingPlan["ports"]): readonly ServicePort[] {
  return ports
    .map(({ name, protocol, port = 80 }) =>
      filled({ name, protocol, port, targetPort: containerPortName(ports, name) }),
    )
    .toSorted((a, b) => a.port - b.port || compareText(a.name, b.name));
}
