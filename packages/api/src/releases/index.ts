import { clusterResource } from "./cluster.ts";
import { clusterSecretsResource } from "./cluster-secrets.ts";
import { faultInjectorResource } from "./fault-injector.ts";
import { mirrorResource } from "./mirror.ts";
import { releaseManagerResource } from "./release-manager.ts";
import { revisionResource } from "./revision.ts";

export * from "./admission/index.ts";
export * from "./cluster.ts";
export * from "./cluster-secrets.ts";
export * from "./defaults.ts";
export * from "./fault-injector.ts";
export type * from "./foreign.ts";
export { joinedCluster } from "./joined-cluster.ts";
export * as releaseKeys from "./keys.ts";
export * from "./mirror.ts";
export { type IngressName, ingressNames, type PortInfo } from "./port.ts";
export type { ReleaseInfo } from "./release-info.ts";
export * from "./release-manager.ts";
export * from "./revision.ts";
export type { KedaScaling, ScaleInfo, WorkerScaling } from "./scale.ts";
export type { ServiceLevelLabels, ServiceLevelObjective, ServiceMonitorInfo } from "./service-level.ts";
export type { ExternalTest, RevisionTarget } from "./target.ts";

export const releaseResources = [
  clusterResource,
  clusterSecretsResource,
  faultInjectorResource,
  mirrorResource,
  releaseManagerResource,
  revisionResource,
] as const;
