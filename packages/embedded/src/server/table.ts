import type { Resource } from "../registry/resource.ts";
import { type JsonObject, own } from "../schema/json.ts";
import type { Stored } from "../storage/stored.ts";

export interface TableOptions {
  readonly resource: Resource;
  readonly nowMs: number;
  readonly includeObject: string | undefined;
  readonly metadata: JsonObject;
}

/** What `kubectl get` prints. */
export function tableOf(
  items: readonly Stored[],
  { resource, nowMs, includeObject, metadata }: TableOptions,
): JsonObject {
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata,
    columnDefinitions: resource.columns.map((column) => ({ ...column, description: "" })),
    rows: items.map((stored) => {
      const object = resource.fromStored ? resource.fromStored(stored.object) : stored.object;
      const cells = resource.cells(stored.object, nowMs);
      const carried = carriedObject(object, includeObject);
      return { cells, object: carried };
    }),
  };
}

function carriedObject(object: JsonObject, includeObject: string | undefined): JsonObject | null {
  if (includeObject === "None") return null;
  if (includeObject === "Object") return object;
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: own(object, "metadata") };
}
