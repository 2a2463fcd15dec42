import type { KedaScaling, KedaTrigger } from "@chaski/api";
import { apiVersionOf } from "@chaski/kube";
import type { App } from "./app.ts";
import { filled } from "./filled.ts";
import { REPLICA_SET_TARGET, type ReplicaBounds } from "./horizontal-pod-autoscaler.ts";
import { ScaledObject, type SpecObject } from "./kinds.ts";
import { incarnationLabels } from "./labels.ts";
import { formatMilli } from "./number-text.ts";

export function buildScaledObject(app: App, tag: string, keda: KedaScaling, bounds: ReplicaBounds): SpecObject {
  const { cooldownPeriod, idleReplicaCount, advanced, fallback, triggers } = keda;
  const settings = filled({ cooldownPeriod, idleReplicaCount, advanced, fallback });
  const authenticated = triggers.map((trigger) => withAuthentication(trigger, tag));
  return scaledObject(app, tag, { ...settings, ...counts(bounds), triggers: authenticated });
}

export interface RequestRate {
  readonly perPodMilli: number;
  readonly prometheusAddress: string;
}

/** In the ambient mesh pods do not count their requests; the mesh does, in the cluster's own Prometheus. */
export function buildAmbientScaledObject(app: App, tag: string, rate: RequestRate, bounds: ReplicaBounds): SpecObject {
  const selector = `destination_workload="${tag}", destination_workload_namespace="${app.namespace}"`;
  const metadata = {
    serverAddress: rate.prometheusAddress,
    query: `sum(rate(istio_requests_total{${selector}}[2m]))`,
    threshold: formatMilli(rate.perPodMilli),
  };
  return scaledObject(app, tag, { ...counts(bounds), triggers: [{ type: "prometheus", metadata }] });
}

function scaledObject(app: App, tag: string, spec: Readonly<Record<string, unknown>>): SpecObject {
  return {
    apiVersion: apiVersionOf(ScaledObject),
    kind: ScaledObject.kind,
    metadata: { name: tag, namespace: app.namespace, labels: incarnationLabels(app, tag) },
    spec: { scaleTargetRef: { ...REPLICA_SET_TARGET, name: tag }, ...spec },
  };
}

function counts({ min, max }: ReplicaBounds): Readonly<Record<string, number>> {
  return { minReplicaCount: min, maxReplicaCount: Math.max(min, max) };
}

/** A trigger that does not say who it is acts as the app's pods. */
function withAuthentication(trigger: KedaTrigger, tag: string): KedaTrigger {
  if (trigger.authenticationRef) return trigger;
  return { ...trigger, metadata: { ...trigger.metadata, identityOwner: "pod" }, authenticationRef: { name: tag } };
}
