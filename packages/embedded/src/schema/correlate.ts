import { equalJson, isObject, type JsonObject, own } from "./json.ts";
import type { SchemaNode } from "./schema-node.ts";

/** The item of the stored list that the new one replaces: only lists of type map can tell. */
export function correlatedItem(list: SchemaNode, previous: unknown, item: unknown): unknown {
  const keys = list.listMapKeys;
  if (list.listType !== "map" || keys === undefined || !Array.isArray(previous) || !isObject(item)) return undefined;
  return previous.find((candidate) => isObject(candidate) && keys.every((key) => isSameKey(candidate, item, key)));
}

function isSameKey(left: JsonObject, right: JsonObject, key: string): boolean {
  const value = own(right, key);
  return value !== undefined && value !== null && equalJson(own(left, key), value);
}

/** Is the value what was stored before? What the schema does not know counts as changed, as it can't be told. */
export function isUnchanged(schema: SchemaNode, value: unknown, previous: unknown): boolean {
  if (Array.isArray(value) && Array.isArray(previous)) return isUnchangedList(schema, value, previous);
  if (isObject(value) && isObject(previous)) return isUnchangedMap(schema, value, previous);
  return equalJson(value, previous);
}

function isUnchangedList(schema: SchemaNode, value: readonly unknown[], previous: readonly unknown[]): boolean {
  if (value.length !== previous.length) return false;
  const { items } = schema;
  if (schema.listType !== "map" || items === undefined) return equalJson(value, previous);
  return value.every((item) => {
    const stored = correlatedItem(schema, previous, item);
    return stored !== undefined && isUnchanged(items, item, stored);
  });
}

function isUnchangedMap(schema: SchemaNode, value: JsonObject, previous: JsonObject): boolean {
  const keys = Object.keys(value);
  const rest = schema.additionalProperties;
  if (keys.length !== Object.keys(previous).length) return false;
  return keys.every((key) => {
    const field = schema.properties?.get(key) ?? (typeof rest === "object" ? rest : undefined);
    return field !== undefined && Object.hasOwn(previous, key) && isUnchanged(field, value[key], previous[key]);
  });
}
