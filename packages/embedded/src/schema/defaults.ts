import type { JsonObject } from "./json.ts";
import type { SchemaNode } from "./schema-node.ts";

/** The value with the schema's defaults filled in. Shares what stays. */
export function applyDefaults<T>(_schema: SchemaNode, value: T): T {
  return value;
}

/** An object of a built-in kind before any field is set: what a create is compared with. */
export function zeroObject(schema: SchemaNode, apiVersion: string, kind: string): JsonObject {
  return applyDefaults(schema, { apiVersion, kind });
}
