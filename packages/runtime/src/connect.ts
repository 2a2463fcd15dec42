// To ask a cluster something and go: the client, where it is found, and a watch that keeps itself up. Loads in a moment.
export type * from "./cache/cache.ts";
export { type CachesOptions, createCaches } from "./cache/caches.ts";
export type { CacheFact } from "./cache/report.ts";
export * from "./client/index.ts";
export * from "./kubeconfig/index.ts";
