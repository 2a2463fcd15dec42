// Reading and filling JSON that has its type's shape already, as the decoder leaves it.
import { isObject, type JsonObject, own } from "./json.ts";

/** Sets what is absent. */
export function fill(object: JsonObject, defaults: JsonObject): void {
  for (const key of Object.keys(defaults)) if (own(object, key) === undefined) object[key] = defaults[key];
}

/** The object at a path; undefined when there is none. */
export function objectAt(object: unknown, ...path: string[]): JsonObject | undefined {
  const value = at(object, ...path);
  return isObject(value) ? value : undefined;
}

/** The objects in the list at a path; none when there is no list. */
export function objectsAt(object: unknown, ...path: string[]): JsonObject[] {
  const value = at(object, ...path);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function at(object: unknown, ...path: string[]): unknown {
  let value = object;
  for (const segment of path) value = isObject(value) ? own(value, segment) : undefined;
  return value;
}

export function stringAt(object: unknown, ...path: string[]): string {
  const value = at(object, ...path);
  return typeof value === "string" ? value : "";
}

export function numberAt(object: unknown, ...path: string[]): number | undefined {
  const value = at(object, ...path);
  return typeof value === "number" ? value : undefined;
}

export function stringsAt(object: unknown, ...path: string[]): string[] {
  const value = at(object, ...path);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The object's own metadata, which may be changed. */
export function metadataOf(object: JsonObject): JsonObject {
  const metadata = own(object, "metadata");
  if (isObject(metadata)) return metadata;
  const created: JsonObject = {};
  object["metadata"] = created;
  return created;
}

export function nameOf(object: JsonObject): string {
  const name = metadataOf(object)["name"];
  return typeof name === "string" ? name : "";
}
