export type { CacheDeclaration } from "./cache-declaration.ts";
export { type ClusterView, type ConnectedCluster, LOCAL_CLUSTER, type Reachability } from "./cluster.ts";
export { type ClusterDefinition, definedBy } from "./definition.ts";
export { type Fleet, fleetOf } from "./fleet.ts";
export { type ClusterSource, type SecretData } from "./source.ts";
export { ClusterRegistry, type RegistrySettings } from "./registry.ts";
export { isAt, type Place } from "./place.ts";
export type { Link } from "./rotating-link.ts";
