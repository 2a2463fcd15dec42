export type * from "./apply/applier.ts";
export * from "./apply/ownership.ts";
export type * from "./cache/cache.ts";
export type * from "./client/client.ts";
export type * from "./clusters/cluster.ts";
export * from "./controller/controller.ts";
export * from "./decision/index.ts";
