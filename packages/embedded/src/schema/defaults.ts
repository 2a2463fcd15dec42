import { cloneJson, isObject, type JsonObject, own, put } from "./json.ts";
import type { SchemaNode } from "./schema-node.ts";

/**
 * The value with the schema's defaults filled in and without nulls that the schema does not allow. Shares what stays.
 */
export function applyDefaults<T>(schema: SchemaNode, value: T): T {
  return fill(schema, value) as T;
}

function fill(schema: SchemaNode, value: unknown): unknown {
  if (Array.isArray(value)) return fillList(schema, value);
  return isObject(value) ? fillMap(schema, value) : value;
}

function fillList(schema: SchemaNode, value: readonly unknown[]): readonly unknown[] {
  const { items } = schema;
  if (items === undefined) return value;
  const filled = value.map((item) => fill(items, isForbiddenNull(items, item) ? defaultOf(items, null) : item));
  return filled.every((item, i) => item === value[i]) ? value : filled;
}

function fillMap(schema: SchemaNode, value: JsonObject): JsonObject {
  let filled = fillMissing(schema, value);
  for (const key of Object.keys(value)) {
    const after = fillField(fieldOf(schema, key), value[key]);
    if (after === value[key]) continue;
    filled ??= { ...value };
    if (after === undefined) delete filled[key];
    else put(filled, key, after);
  }
  return filled ?? value;
}

function fillMissing(schema: SchemaNode, value: JsonObject): JsonObject | undefined {
  let filled: JsonObject | undefined;
  for (const [key, field] of schema.properties ?? []) {
    if (field.default === undefined || Object.hasOwn(value, key)) continue;
    put((filled ??= { ...value }), key, fill(field, cloneJson(field.default)));
  }
  return filled;
}

function fillField(field: SchemaNode | undefined, value: unknown): unknown {
  if (field === undefined) return value;
  return fill(field, isForbiddenNull(field, value) ? defaultOf(field, undefined) : value);
}

function fieldOf(schema: SchemaNode, key: string): SchemaNode | undefined {
  const rest = schema.additionalProperties;
  return schema.properties?.get(key) ?? (typeof rest === "object" ? rest : undefined);
}

function isForbiddenNull(schema: SchemaNode, value: unknown): boolean {
  return value === null && schema.isNullable !== true;
}

function defaultOf(schema: SchemaNode, otherwise: unknown): unknown {
  return schema.default === undefined ? otherwise : cloneJson(schema.default);
}

/** An object of a built-in kind before any field is set: what a create is compared with. */
export function zeroObject(schema: SchemaNode, apiVersion: string, kind: string): JsonObject {
  const zero = applyDefaults(schema, { apiVersion, kind });
  return own(zero, "metadata") === undefined ? { ...zero, metadata: {} } : zero;
}
