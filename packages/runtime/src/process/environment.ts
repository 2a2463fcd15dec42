/** What a process of an operator is started with, wherever that is: in the image, in the cluster, in a bench. */
export const ENVIRONMENT: Readonly<Record<string, string>> = {
  // A small young generation: informers otherwise let it grow to 128 MB, and gain nothing by it.
  NODE_OPTIONS: "--max-semi-space-size=8",
  // One heap for all threads: V8's helpers otherwise keep one each, and with it what they once needed.
  MALLOC_ARENA_MAX: "1",
};
