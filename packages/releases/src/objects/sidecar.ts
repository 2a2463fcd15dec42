import { apiVersionOf } from "@chaski/kube";
import type { App } from "./app.ts";
import { Sidecar, type SpecObject } from "./kinds.ts";
import { appLabels } from "./labels.ts";

/** Which hosts the namespace's proxies know. */
export function buildSidecar(app: App, egressHosts: readonly string[]): SpecObject {
  return {
    apiVersion: apiVersionOf(Sidecar),
    kind: Sidecar.kind,
    metadata: { name: app.app, namespace: app.namespace, labels: appLabels(app) },
    spec: { egress: [{ hosts: egressHosts }] },
  };
}
