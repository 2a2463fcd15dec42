export { type ComposeOptions, type Composition, compose, WINGS, type Wing } from "./compose.ts";
export { LEASE, type OperatorSettings, runChaski, WEBHOOK_CONFIGURATION, WEBHOOK_SERVICE } from "./operator.ts";
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
} from "./manifests.ts";
export { clusterRules, namespaceRules, type Rule } from "./rbac.ts";
export { takerIfFailed } from "@chaski/releases";
