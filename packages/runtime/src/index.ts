export type * from "./apply/applier.ts";
export type * from "./cache/cache.ts";
export { type CachesOptions, createCaches } from "./cache/caches.ts";
export { REFLECTOR_TIMINGS, type ReflectorTimings } from "./cache/reflector.ts";
export { type CacheFact, type CacheReport, type CacheSource, MalformedObjectError } from "./cache/report.ts";
export type * from "./client/client.ts";
export type * from "./clusters/cluster.ts";
export * from "./controller/controller.ts";
export * from "./decision/index.ts";
