export { type ClusterView, type ConnectedCluster, LOCAL_CLUSTER, type Reachability } from "./cluster.ts";
export { type ClusterDefinition, definedBy, unusable } from "./definition.ts";
export { type Fleet, fleetOf } from "./fleet.ts";
export { type CachesFactory, LiveCluster, type LiveClusterSettings } from "./live-cluster.ts";
export { ClusterRegistry, type RegistrySettings } from "./registry.ts";
export type { Link } from "./rotating-link.ts";
