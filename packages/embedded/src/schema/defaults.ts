import { cloneJson, isObject, type JsonObject, own, put } from "./json.ts";
import type { SchemaNode } from "./schema-node.ts";

/**
 * The value with the schema's defaults filled in and without nulls that the schema does not allow. Shares what stays.
 */
export function applyDefaults<T>(schema: SchemaNode, value: T): T {
  return fill(schema, value, undefined) as T;
}

/**
 * As applyDefaults, but a null that has no default stays. The server does this with the outcome of a server-side
 * apply: nulls are only dropped from what is decoded, so one that an apply leaves behind is refused by validation.
 */
export function fillDefaults<T>(schema: SchemaNode, value: T): T {
  return fill(schema, value, null) as T;
}

/** What becomes of a null that is not allowed: undefined removes it. */
type Nulls = null | undefined;

function fill(schema: SchemaNode, value: unknown, nulls: Nulls): unknown {
  if (Array.isArray(value)) return fillList(schema, value, nulls);
  return isObject(value) ? fillMap(schema, value, nulls) : value;
}

function fillList(schema: SchemaNode, value: readonly unknown[], nulls: Nulls): readonly unknown[] {
  const { items } = schema;
  if (items === undefined) return value;
  const filled = value.map((item) => fill(items, isForbiddenNull(items, item) ? defaultOf(items, null) : item, nulls));
  return filled.every((item, i) => item === value[i]) ? value : filled;
}

function fillMap(schema: SchemaNode, value: JsonObject, nulls: Nulls): JsonObject {
  let filled = fillMissing(schema, value, nulls);
  for (const key of Object.keys(value)) {
    const after = fillField(fieldOf(schema, key), value[key], nulls);
    if (after === value[key]) continue;
    filled ??= { ...value };
    if (after === undefined) delete filled[key];
    else put(filled, key, after);
  }
  return filled ?? value;
}

function fillMissing(schema: SchemaNode, value: JsonObject, nulls: Nulls): JsonObject | undefined {
  let filled: JsonObject | undefined;
  for (const [key, field] of schema.properties ?? []) {
    if (field.default === undefined || Object.hasOwn(value, key)) continue;
    put((filled ??= { ...value }), key, fill(field, cloneJson(field.default), nulls));
  }
  return filled;
}

function fillField(field: SchemaNode | undefined, value: unknown, nulls: Nulls): unknown {
  if (field === undefined) return value;
  return fill(field, isForbiddenNull(field, value) ? defaultOf(field, nulls) : value, nulls);
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
