export { createEmbeddedCluster, type EmbeddedCluster, type EmbeddedClusterOptions } from "./cluster.ts";
