export type * from "./apply/applier.ts";
export type * from "./cache/cache.ts";
export * from "./client/index.ts";
export type * from "./clusters/cluster.ts";
export * from "./controller/controller.ts";
export * from "./decision/index.ts";
