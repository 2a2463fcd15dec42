// The one place that turns a write into managedFields.
import { trackUpdate } from "../merge/index.ts";
import { apiVersionOf, type Resource } from "../registry/resource.ts";
import type { JsonObject } from "../schema/index.ts";

export interface Tracking {
  readonly resource: Resource;
  readonly subresource: string;
  readonly manager: string;
  readonly nowIso: string;
}

/** Records which fields the manager set by a create, an update or a patch. `live` is undefined for a create. */
export function trackWrite(tracking: Tracking, live: JsonObject | undefined, next: JsonObject): JsonObject {
  const { resource } = tracking;
  const before = live ?? resource.empty;
  return trackUpdate({ ...trackingRequest(tracking), live: before, next });
}

export function trackingRequest({ resource, subresource, manager, nowIso }: Tracking): {
  manager: string;
  apiVersion: string;
  schema: Resource["schema"];
  subresource: string;
  resetFields: string[][];
  nowIso: string;
} {
  return {
    manager,
    apiVersion: apiVersionOf(resource),
    schema: resource.schema,
    subresource,
    resetFields: resetFieldsOf(resource, subresource),
    nowIso,
  };
}

/** What an endpoint takes back to its stored value, so that nobody owns it through that endpoint. */
function resetFieldsOf({ subresources, isCustom }: Resource, subresource: string): string[][] {
  if (subresource === "status") return isCustom ? [["spec"], ["metadata"]] : [["spec"]];
  return subresources.has("status") ? [["status"]] : [];
}
