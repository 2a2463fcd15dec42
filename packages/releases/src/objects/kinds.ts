// The kinds that a release writes on a cluster, ours to list, to apply and to remove.
import {
  ConfigMap,
  defineKind,
  HorizontalPodAutoscaler,
  type Kind,
  type KubeObject,
  Namespace,
  PodDisruptionBudget,
  type Ref,
  ReplicaSet,
  refTo,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
} from "@chaski/kube";

/** An object of another project's API, as we write it. */
export interface SpecObject extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
}

function foreignKind(
  group: string,
  version: string,
  kind: string,
  plural = `${kind.toLowerCase()}s`,
): Kind<SpecObject> {
  return defineKind<SpecObject>({ group, version, kind, plural, isNamespaced: true });
}

export const DestinationRule = foreignKind("networking.istio.io", "v1alpha3", "DestinationRule");
export const VirtualService = foreignKind("networking.istio.io", "v1alpha3", "VirtualService");
export const Sidecar = foreignKind("networking.istio.io", "v1alpha3", "Sidecar");
export const PrometheusRule = foreignKind("monitoring.coreos.com", "v1", "PrometheusRule");
export const ServiceMonitor = foreignKind("monitoring.coreos.com", "v1", "ServiceMonitor");
export const PrometheusServiceLevel = foreignKind("sloth.slok.dev", "v1", "PrometheusServiceLevel");
export const ExternalSecret = foreignKind("external-secrets.io", "v1", "ExternalSecret");
export const DatadogMetric = foreignKind("datadoghq.com", "v1alpha1", "DatadogMetric");
export const WorkerPodAutoScaler = foreignKind("k8s.practo.dev", "v1", "WorkerPodAutoScaler");
export const ScaledObject = foreignKind("keda.sh", "v1alpha1", "ScaledObject");
export const TriggerAuthentication = foreignKind("keda.sh", "v1alpha1", "TriggerAuthentication");
export const WaypointGateway = foreignKind("gateway.networking.k8s.io", "v1", "Gateway");

/** Those that every cluster serves. */
export const coreKinds: readonly Kind[] = [
  Namespace,
  ServiceAccount,
  Role,
  RoleBinding,
  Secret,
  ConfigMap,
  Service,
  PodDisruptionBudget,
  ReplicaSet,
  HorizontalPodAutoscaler,
];

/** Those that a cluster may lack: a fact, not an error (D-71). */
export const optionalKinds: readonly Kind[] = [
  DestinationRule,
  VirtualService,
  Sidecar,
  PrometheusRule,
  ServiceMonitor,
  PrometheusServiceLevel,
  ExternalSecret,
  DatadogMetric,
  WorkerPodAutoScaler,
  ScaledObject,
  TriggerAuthentication,
  WaypointGateway,
];

const byName = new Map([...coreKinds, ...optionalKinds].map((kind) => [`${kind.group}/${kind.kind}`, kind]));

export function kindOf({ apiVersion, kind }: KubeObject): Kind | undefined {
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  return byName.get(`${group}/${kind}`);
}

/** Undefined for an object of a kind that a release never writes. */
export function refOf(object: KubeObject): Ref | undefined {
  const kind = kindOf(object);
  return kind && refTo(kind, object);
}
