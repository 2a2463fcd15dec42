/** What a process of an operator is started with, wherever that is: in the image, in the cluster, in a bench. */
export const ENVIRONMENT: Readonly<Record<string, string>> = {
  // A small young generation: informers otherwise let it grow to 128 MB, and gain nothing by it.
  NODE_OPTIONS: "--max-semi-space-size=4",
  // One heap for all threads: V8's helpers otherwise keep one each, and with it what they once needed.
  MALLOC_ARENA_MAX: "1",
  // Compilers and parsers take memory in pieces of 32 kB, for a moment. Mapped each by itself it goes back when it is
  // free; from the common heap it would not, because something small and lasting always lies behind it.
  MALLOC_MMAP_THRESHOLD_: "32768",
};
