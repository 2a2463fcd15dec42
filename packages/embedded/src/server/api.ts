import type { Clock, Random } from "@chaski/clock";
import type { Resource } from "../registry/resource.ts";
import type { Stored } from "../storage/stored.ts";
import type { Registry } from "../registry/registry.ts";
import type { Store } from "../storage/store.ts";

/** What every part of the server works on. */
export interface Api {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  readonly registry: Registry;
  /** Deletes as a client would, in the background. */
  readonly removeObject: (resource: Resource | undefined, stored: Stored) => void;
}
