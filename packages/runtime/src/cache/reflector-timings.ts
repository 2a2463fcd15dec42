import type { BackoffLimits } from "./backoff.ts";

export interface ReflectorTimings {
  readonly backoff: BackoffLimits;
  /** A watch that has been heard from for so long puts the backoff back to its start. */
  readonly healthyMs: number;
  /** The server is asked to end a watch after a random time between these two. */
  readonly watchSeconds: readonly [least: number, most: number];
  /** API servers send a bookmark about once a minute; a longer silence than this means a dead connection. */
  readonly silenceMs: number;
  /** How often a kind is looked for that is not served. */
  readonly pollMs: number;
  /** The same where its definition would be noticed: what remains is an API that a server of its own brings. */
  readonly pollDefinedMs: number;
}

export const REFLECTOR_TIMINGS: ReflectorTimings = {
  backoff: { firstMs: 800, mostMs: 30_000 },
  healthyMs: 120_000,
  watchSeconds: [300, 600],
  silenceMs: 75_000,
  pollMs: 10_000,
  pollDefinedMs: 60_000,
};
