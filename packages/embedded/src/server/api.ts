import type { Clock, Random } from "@chaski/clock";
import type { Registry } from "../registry/registry.ts";
import type { Store } from "../storage/store.ts";

/** What every part of the server works on. */
export interface Api {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  readonly registry: Registry;
}
