export type * from "./apply/applier.ts";
export type * from "./cache/cache.ts";
export * from "./client/index.ts";
export type * from "./clusters/cluster.ts";
export * from "./controller/controller.ts";
export * from "./decision/index.ts";
export { type BackoffOptions } from "./queue/backoff.ts";
export { type Rate, TokenBucket } from "./queue/token-bucket.ts";
export { type Priority, type QueueObserver, WorkQueue, type WorkQueueOptions } from "./queue/work-queue.ts";
