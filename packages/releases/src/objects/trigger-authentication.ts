import type { KedaScaling } from "@chaski/api";
import { apiVersionOf, type ConfigMap } from "@chaski/kube";
import type { App } from "./app.ts";
import { type SpecObject, TriggerAuthentication } from "./kinds.ts";
import { incarnationLabels } from "./labels.ts";
import { TOKEN_SECRET } from "./service-account.ts";

export function hasDatadogTrigger({ triggers }: KedaScaling): boolean {
  return triggers.some(({ type }) => type === "datadog");
}

export function datadogConfigName(tag: string): string {
  return `dd-cfg-${tag}`;
}

/** How KEDA reaches Datadog's cluster agent; only for Datadog triggers. */
export function buildDatadogConfig(app: App, tag: string): ConfigMap {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: datadogConfigName(tag), namespace: app.namespace, labels: incarnationLabels(app, tag) },
    data: {
      authMode: "bearer",
      datadogMetricsService: "datadog-cluster-agent-metrics-server",
      datadogNamespace: "datadog",
      unsafeSsl: "true",
    },
  };
}

const DATADOG_PARAMETERS = ["datadogNamespace", "authMode", "datadogMetricsService", "unsafeSsl"];

export function buildTriggerAuthentication(app: App, tag: string, keda: KedaScaling): SpecObject {
  const name = datadogConfigName(tag);
  const datadog = {
    configMapTargetRef: DATADOG_PARAMETERS.map((parameter) => ({ parameter, name, key: parameter })),
    secretTargetRef: [{ parameter: "token", name: TOKEN_SECRET, key: "token" }],
  };
  return {
    apiVersion: apiVersionOf(TriggerAuthentication),
    kind: TriggerAuthentication.kind,
    metadata: { name: tag, namespace: app.namespace, labels: incarnationLabels(app, tag) },
    spec: { podIdentity: { provider: "aws-eks" }, ...(hasDatadogTrigger(keda) ? datadog : {}) },
  };
}
