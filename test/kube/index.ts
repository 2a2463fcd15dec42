// Real Kubernetes control planes for tests, on loopback.
//
//   import { sharedControlPlane, startControlPlane } from "@chaski/test/kube";
//
//   const cluster = await sharedControlPlane();          // for most suites: work in `await cluster.createNamespace()`
//
//   await using plane = await startControlPlane({ audit: "Metadata" });   // one's own, to kill and pause
//   plane.admin.kubeconfigPath                           // also .kubeconfig (its text); plane.admin.through(proxy.url)
//   const alice = await plane.addUser("alice", ["dev"]);
//   await plane.allow(alice, [{ apiGroups: [""], resources: ["configmaps"], verbs: ["*"] }]);
//   await plane.restart("kube-apiserver");               // same port, same data
//   await plane.installCrds("istio");
//
// Everything ends with the process that started it, however that ends. Logs stay in .test-logs/ when a part failed,
// when the process was killed, or after `stop({ keepLogs: true })`; `useControlPlane` asks for that when a test failed.
export { Api, ApiError, type ApiRequest } from "./api.ts";
export { cacheFolder, ensureAssets, findAssets } from "./assets.ts";
export { buildModule, downloadModule, goEnvironment, keepGoMod } from "./assets-build.ts";
export { type AuditEvent, type AuditFilter, type AuditLevel, WRITE_VERBS } from "./audit-log.ts";
export { ClusterAccess, type Coordinates, type PolicyRule } from "./cluster-access.ts";
export { ControlPlane, type ControlPlaneOptions, type PartName, startControlPlane } from "./control-plane.ts";
export { CuttableProxy } from "./cuttable-proxy.ts";
export { freePort } from "./free-port.ts";
export { KubeUser } from "./kube-user.ts";
export { type PodFilter, PodLifecycle } from "./pod-lifecycle.ts";
export type { RequestCount } from "./request-counts.ts";
export { type SharedPlane, sharedControlPlane } from "./shared.ts";
export { type UntilOptions, until } from "./until.ts";
export { type CrdProject, upstreamCrds } from "./upstream-crds.ts";
