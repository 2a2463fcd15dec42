import type { Clock, Random } from "@chaski/clock";
import type { Resource } from "../registry/resource.ts";
import type { Stored } from "../storage/stored.ts";
import type { Authentication } from "../auth/authentication.ts";
import type { Authorizer } from "../auth/authorization.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Registry } from "../registry/registry.ts";
import type { Store } from "../storage/store.ts";

/** What every part of the server works on. */
export interface Api {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  readonly registry: Registry;
  /** Aborts when the cluster closes: watches end, timers go. */
  readonly closing: AbortSignal;
  readonly authentication: Authentication;
  readonly authorizer: Authorizer;
  /** Where a Service can be reached from this process, for webhooks that name one; undefined: nowhere. */
  readonly serviceUrl: (namespace: string, name: string, port: number) => string | undefined;
  /** Why a pod may not be evicted now; undefined: it may. */
  readonly budgetAgainstEviction: (pod: JsonObject) => string | undefined;
  /** Deletes as a client would, in the background. */
  readonly removeObject: (resource: Resource | undefined, stored: Stored) => void;
}
