export { type ComposeOptions, type Composition, compose, WINGS, type Wing } from "./compose.ts";
export { LEASE, type MetricsAddress, type OperatorSettings, PICCHU_LEASE, runChaski } from "./operator.ts";
export { type ObserveFormat, tellChanges } from "./observed-changes.ts";
export { RELEASES_DEFAULTS, type ReleasesGiven } from "./release-settings.ts";
export { RELEASE_WEBHOOKS, WEBHOOK_CONFIGURATION, WEBHOOK_SERVICE } from "./webhooks.ts";
export { VERSION } from "./version.ts";
export {
  crdManifests,
  disruptionBudget,
  INSTALL_DEFAULTS,
  installManifests,
  type InstallValues,
  type Manifest,
  NAMESPACE,
  namespaceManifest,
  networkPolicy,
  operatorManifests,
  rbacManifests,
  targetManifests,
} from "./manifests.ts";
export { clusterRules, namespaceRules, type Rule, targetRules } from "./rbac.ts";
export { releaseWebhooks } from "./release-webhooks.ts";
export {
  clusterSource,
  coreKinds,
  defaultCalendar,
  defaultFlags,
  LatePods,
  liveRouteOf,
  lookForLatePods,
  optionalKinds,
  prometheusJudge,
  takerIfFailed,
  VirtualService,
} from "@chaski/releases";
