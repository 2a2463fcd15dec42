// Real Kubernetes control planes for tests, on loopback.
//
//   import { startControlPlane } from "@chaski/test/kube";
//
//   await using plane = await startControlPlane({ audit: "Metadata" });
//   plane.admin.kubeconfigPath            // also .kubeconfig (its text); plane.admin.through(proxy.url)
//   const alice = await plane.addUser("alice", ["dev"]);
//   await plane.allow(alice, [{ apiGroups: [""], resources: ["configmaps"], verbs: ["*"] }]);
//   await plane.restart("kube-apiserver"); // same port, same data
//
// Everything ends with the process that started it, however that ends.
export { Api, ApiError, type ApiRequest } from "./api.ts";
export { ensureAssets, findAssets } from "./assets.ts";
export { type AuditEvent, type AuditFilter, type AuditLevel, WRITE_VERBS } from "./audit-log.ts";
export { ClusterAccess, type Coordinates, type PolicyRule } from "./cluster-access.ts";
export { ControlPlane, type ControlPlaneOptions, type PartName, startControlPlane } from "./control-plane.ts";
export { freePort } from "./free-port.ts";
export { KubeUser } from "./kube-user.ts";
export type { RequestCount } from "./request-counts.ts";
export { until, type UntilOptions } from "./until.ts";
