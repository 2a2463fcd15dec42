// The one place that turns a write into managedFields.
import { trackUpdate, type VersionLookup } from "../merge/index.ts";
import { apiVersionOf, type Resource } from "../registry/resource.ts";
import { at, objectAt, objectsAt } from "../builtin/fields.ts";
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
  const tracked = trackUpdate({ ...trackingRequest(tracking), live: before, next });
  return tracking.subresource === "scale"
    ? withoutScaleTime(tracked, isScaledToZero(tracking.resource, next))
    : tracked;
}

function isScaledToZero({ scalePaths }: Resource, object: JsonObject): boolean {
  return scalePaths !== undefined && at(object, ...scalePaths.specReplicas) === 0;
}

/**
 * The real server loses the time of writes through `scale`, which then sort first; and a scale of zero leaves its
 * replicas out, so that nobody owns them.
 */
function withoutScaleTime(object: JsonObject, isZero: boolean): JsonObject {
  const metadata = objectAt(object, "metadata") ?? {};
  const [scaled, others] = [[] as JsonObject[], [] as JsonObject[]];
  for (const { time, ...entry } of objectsAt(metadata, "managedFields")) {
    if (entry["subresource"] !== "scale") others.push({ ...entry, time });
    else if (!isZero) scaled.push(entry);
  }
  return { ...object, metadata: { ...metadata, managedFields: [...scaled, ...others] } };
}

export function trackingRequest({ resource, subresource, manager, nowIso }: Tracking): {
  manager: string;
  apiVersion: string;
  schema: Resource["schema"];
  subresource: string;
  resetFields: string[][];
  nowIso: string;
  versions?: VersionLookup;
} {
  return {
    manager,
    apiVersion: apiVersionOf(resource),
    schema: resource.schema,
    subresource,
    resetFields: resetFieldsOf(resource, subresource),
    nowIso,
    ...(resource.versions && { versions: resource.versions }),
  };
}

/** What an endpoint takes back to its stored value, so that nobody owns it through that endpoint. */
function resetFieldsOf({ subresources }: Resource, subresource: string): string[][] {
  if (subresource === "status") return [["spec"]];
  return subresources.has("status") ? [["status"]] : [];
}
