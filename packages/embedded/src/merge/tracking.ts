import { isObject, type JsonObject } from "../schema/json.ts";
import type { SchemaNode } from "../schema/schema-node.ts";
import { FieldSet, fieldSet } from "./field-set.ts";
import { encodeManagers, type Manager, type Managers } from "./managers.ts";
import { mergeTypeOf } from "./merge-type.ts";
import { fieldElement } from "./path-element.ts";
import type { Endpoint } from "./updater.ts";

/** What another version of the same resource looks like; undefined when that version is not served. */
export type VersionLookup = (apiVersion: string) =>
  | {
      readonly schema: SchemaNode;
      /** From whichever version the object is in. */
      readonly convert: (object: JsonObject) => JsonObject;
    }
  | undefined;

export interface TrackingRequest {
  /** The stored object; for a create an object of the kind with nothing set (`zeroObject`). Never modified. */
  readonly live: JsonObject;
  readonly manager: string;
  /** The version that the request speaks: live and new object are in this version too. */
  readonly apiVersion: string;
  readonly schema: SchemaNode;
  /** Empty or absent for the main resource. */
  readonly subresource?: string;
  /** Paths that this endpoint resets, so nobody can own them through it: `[["status"]]` for the main resource. */
  readonly resetFields?: readonly (readonly string[])[];
  /** To whole seconds, as in `2026-01-31T12:00:00Z`. */
  readonly nowIso: string;
  /** Absent: `apiVersion` is the only version. */
  readonly versions?: VersionLookup;
}

export function ownerOf(request: TrackingRequest, operation: "Apply" | "Update"): Omit<Manager, "set"> {
  return {
    manager: request.manager === "" ? "unknown" : request.manager,
    operation,
    apiVersion: request.apiVersion,
    subresource: request.subresource ?? "",
  };
}

export function endpointOf({ apiVersion, schema, resetFields, versions }: TrackingRequest): Endpoint {
  const type = mergeTypeOf(schema);
  return {
    apiVersion,
    type,
    reset: resetFields === undefined ? FieldSet.empty : resetSetOf(resetFields),
    at: (object, wanted) => {
      if (wanted === apiVersion && (versions === undefined || object["apiVersion"] === apiVersion)) {
        return { object, type };
      }
      const version = versions?.(wanted);
      return version && { object: version.convert(object), type: mergeTypeOf(version.schema) };
    },
  };
}

const resetSets = new WeakMap<object, FieldSet>();

function resetSetOf(paths: readonly (readonly string[])[]): FieldSet {
  const found = resetSets.get(paths);
  if (found !== undefined) return found;
  const set = fieldSet(paths.map((path) => path.map(fieldElement)));
  resetSets.set(paths, set);
  return set;
}

/** Identity and what the server keeps itself: nobody's fields. */
const neverOwned = fieldSet([
  ["f:apiVersion"],
  ["f:kind"],
  ["f:metadata"],
  ...[
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
  ].map((field) => ["f:metadata", fieldElement(field)]),
]);

// Sets are shared between writes.
const known = new WeakMap<FieldSet, FieldSet>();

export function withoutNeverOwned(set: FieldSet): FieldSet {
  const found = known.get(set);
  if (found !== undefined) return found;
  const result = set.difference(neverOwned);
  known.set(set, result);
  return result;
}

export function metadataOf(object: JsonObject): JsonObject {
  const metadata = object["metadata"];
  return isObject(metadata) ? metadata : {};
}

export function withManagedFields(object: JsonObject, managers: Managers): JsonObject {
  const { managedFields: _, ...metadata } = metadataOf(object);
  if (managers.size === 0) return { ...object, metadata };
  return { ...object, metadata: { ...metadata, managedFields: encodeManagers(managers) } };
}

export function withoutManagedFields(object: JsonObject): JsonObject {
  const metadata = metadataOf(object);
  if (!Object.hasOwn(metadata, "managedFields")) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** As in messages: `shop/web; apps/v1, Kind=Deployment`. */
export function describeObject(object: JsonObject): string {
  const { namespace, name } = metadataOf(object);
  return `${textOf(namespace)}/${textOf(name)}; ${describeKind(object)}`;
}

export function describeKind({ apiVersion, kind }: JsonObject): string {
  const version = textOf(apiVersion);
  return `${version.includes("/") ? version : `/${version}`}, Kind=${textOf(kind)}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
