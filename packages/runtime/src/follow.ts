// To follow a cluster that `connect` asks: a watch that keeps itself up. Apart, since whoever only asks is in a hurry.
export type * from "./cache/cache.ts";
export { type CachesOptions, createCaches } from "./cache/caches.ts";
export type { CacheFact } from "./cache/report.ts";
