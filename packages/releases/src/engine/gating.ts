import type { Surroundings } from "./facts.ts";
import type { Holding } from "./hold.ts";
import type { Traffic } from "./traffic.ts";

/** What gates are told from. */
export interface Gating {
  readonly around: Surroundings;
  readonly holding: Holding;
  readonly traffic: Traffic;
}
