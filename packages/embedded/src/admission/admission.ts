import type { JsonObject } from "../schema/json.ts";
import type { Api } from "../server/api.ts";
import type { ResourceRequest } from "../server/request.ts";
import { requireLiveNamespace } from "./namespaces.ts";

/** A write on its way in: what it would store and what that replaces. */
export interface Admission {
  readonly request: ResourceRequest;
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  /** Undefined for a deletion. */
  readonly object: JsonObject | undefined;
  readonly live: JsonObject | undefined;
}

type Awaitable<T> = T | Promise<T>;

/** May change the object; throws what refuses it. */
export function admitMutating(api: Api, admission: Admission): Awaitable<JsonObject | undefined> {
  if (admission.operation === "CREATE") requireLiveNamespace(api, admission);
  return admission.object;
}

/** Throws what refuses it. */
export function admitValidating(_api: Api, _admission: Admission): Awaitable<void> {}
