import type { JsonObject } from "../schema/json.ts";
import type { Api } from "../request/api.ts";
import type { ResourceRequest } from "../request/request.ts";
import { requireLiveNamespace } from "./namespaces.ts";
import { webhooksFor } from "./webhook-match.ts";
import { mutate, validateBy } from "./webhooks.ts";

/** A write on its way in: what it would store and what that replaces. */
export interface Admission {
  readonly request: ResourceRequest;
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  /** Undefined for a deletion. */
  readonly object: JsonObject | undefined;
  readonly live: JsonObject | undefined;
}

/** No promise where nobody has to be asked: most clusters have no webhooks. */
type Awaitable<T> = T | Promise<T>;

/** The object as admission leaves it; throws what refuses it. */
export function admitMutating(api: Api, admission: Admission): Awaitable<JsonObject | undefined> {
  if (admission.operation === "CREATE") requireLiveNamespace(api, admission);
  const webhooks = webhooksFor(api, "mutating", admission);
  return webhooks.length === 0 ? admission.object : mutate(api, webhooks, admission);
}

/** Throws what refuses it. */
export function admitValidating(api: Api, admission: Admission): Awaitable<void> {
  const webhooks = webhooksFor(api, "validating", admission);
  return webhooks.length === 0 ? undefined : validateBy(api, webhooks, admission);
}
