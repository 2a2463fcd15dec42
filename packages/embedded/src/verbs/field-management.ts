// The one place that turns a write into managedFields.
import { type TrackingRequest, trackUpdate } from "../merge/index.ts";
import { apiVersionOf, type Resource } from "../registry/resource.ts";
import { schemaOf } from "../builtin/resources.ts";
import type { JsonObject, SchemaNode } from "../schema/index.ts";

export interface Tracking {
  readonly resource: Resource;
  readonly subresource: string;
  readonly manager: string;
  readonly nowIso: string;
}

/** Records which fields the manager set by a create, an update or a patch. `live` is undefined for a create. */
export function trackWrite(tracking: Tracking, live: JsonObject | undefined, next: JsonObject): JsonObject {
  return trackUpdate({ ...trackingRequest(tracking), live: live ?? tracking.resource.empty, next });
}

type TrackingBasis = Omit<TrackingRequest, "live">;

export function trackingRequest({ resource, subresource, manager, nowIso }: Tracking): TrackingBasis {
  if (subresource === "scale")
    return { manager, apiVersion: apiVersionOf(SCALE), schema: scaleSchema(), subresource, nowIso };
  const resetFields = resetFieldsOf(resource, subresource);
  return {
    manager,
    apiVersion: apiVersionOf(resource),
    schema: resource.schema,
    subresource,
    ...(resetFields && { resetFields }),
    nowIso,
    ...(resource.versions && { versions: resource.versions }),
  };
}

const SCALE = { group: "autoscaling", version: "v1", kind: "Scale" };

function scaleSchema(): SchemaNode {
  return schemaOf(SCALE.group, SCALE.version, SCALE.kind);
}

type Paths = readonly (readonly string[])[];

const RESET_BY_MAIN: Paths = [["status"]];
const RESET_BY_STATUS: Paths = [["spec"]];
const MORE_RESET_BY_STATUS: Readonly<Record<string, Paths>> = {
  "apps/Deployment": [["spec"], ["metadata", "labels"]],
  "/Pod": [["spec"], ["metadata", "deletionTimestamp"], ["metadata", "ownerReferences"]],
};

/** What an endpoint takes back to its stored value, so that nobody owns it through that endpoint. */
function resetFieldsOf({ subresources, kind, group }: Resource, subresource: string): Paths | undefined {
  if (subresource === "status") return MORE_RESET_BY_STATUS[`${group}/${kind}`] ?? RESET_BY_STATUS;
  return subresources.has("status") ? RESET_BY_MAIN : undefined;
}
