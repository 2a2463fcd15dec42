export { type User } from "./auth/user.ts";
export { createEmbeddedCluster, type EmbeddedCluster, type EmbeddedClusterOptions } from "./cluster.ts";
export { fleetCrds } from "./fleet-crds/fleet-crds.ts";
export type { Listening, ListenOptions } from "./https/listen.ts";
export type { LoadModel, LoadReading } from "./workloads/autoscaler/load.ts";
export type { PodBehaviour, PodFilter, PodRule, SimulatedNode, WorkloadsOptions } from "./workloads/options.ts";
export type { Workloads } from "./workloads/workloads.ts";
export { ConnectionResetError, type Effect, type Fault, type RequestFilter } from "./faults/fault.ts";
export type { Faults } from "./faults/faulty-transport.ts";
