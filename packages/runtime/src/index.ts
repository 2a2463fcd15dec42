export type * from "./apply/applier.ts";
export { copyHash } from "./apply/copied-content.ts";
export { type ApplierOptions, createApplier, RESERVED_NAMESPACES } from "./apply/create-applier.ts";
export { INITIAL_MANAGER, managerOf } from "./apply/field-ownership.ts";
export type { FieldChange, ObservedChange } from "./apply/observe.ts";
export {
  isOwnedBy,
  MANAGED_BY_LABEL,
  OWNER_ANNOTATION,
  type Owner,
  ownerAnnotation,
  ownerOf,
} from "./apply/ownership.ts";
export { APPLIED_ANNOTATION, CONTENT_ANNOTATION, MADE_ANNOTATION } from "./apply/payload.ts";
export type * from "./cache/cache.ts";
export * from "./client/index.ts";
export * from "./clusters/index.ts";
export { type CachesOptions, createCaches } from "./cache/caches.ts";
export { REFLECTOR_TIMINGS, type ReflectorTimings } from "./cache/reflector.ts";
export { type CacheFact, type CacheReport, type CacheSource, MalformedObjectError } from "./cache/report.ts";
export type * from "./client/client.ts";
export type * from "./clusters/cluster.ts";
export * from "./client/index.ts";
export { type ClusterView, type ConnectedCluster, LOCAL_CLUSTER, type Reachability } from "./clusters/cluster.ts";
export { type Fleet, fleetOf } from "./clusters/fleet.ts";
export * from "./controller/controller.ts";
export { type ControllerDependencies, ControllerLoop, type PassObserver } from "./controller/controller-loop.ts";
export { type CacheDeclaration, declareCaches } from "./controller/declarations.ts";
export { deepFreeze } from "./controller/freeze.ts";
export type { Outcome } from "./controller/outcome.ts";
export { OWNER_INDEX, type OwnerName, type OwnerOf } from "./controller/ownership.ts";
export type { PassRecord } from "./controller/pass.ts";
export { named, owned, wake } from "./controller/wake-rules.ts";
export * from "./decision/index.ts";
export * from "./kubeconfig/index.ts";
export { type LogFields, type Logger, silentLogger } from "./log/logger.ts";
export { type BackoffOptions } from "./queue/backoff.ts";
export { type Rate, TokenBucket } from "./queue/token-bucket.ts";
export { type Priority, type QueueObserver, WorkQueue, type WorkQueueOptions } from "./queue/work-queue.ts";
