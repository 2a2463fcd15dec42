import type { Cause } from "./cause.ts";
import { required } from "./field-error.ts";
import { isObject, type JsonObject, own } from "./json.ts";
import type { SchemaNode } from "./schema-node.ts";

/** Resources inside of resources have to say what they are. */
export function validateEmbedded(schema: SchemaNode, value: unknown, path = ""): Cause[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? [] : value.flatMap((item, i) => validateEmbedded(items, item, `${path}[${i}]`));
  }
  if (!isObject(value)) return [];
  return [
    ...(schema.isEmbeddedResource === true ? checkKind(value, path) : []),
    ...Object.keys(value).flatMap((key) => validateField(schema, key, { value: value[key], path })),
  ];
}

function validateField(schema: SchemaNode, key: string, { value, path }: { value: unknown; path: string }): Cause[] {
  const field = schema.properties?.get(key);
  const rest = schema.additionalProperties;
  if (field !== undefined) return validateEmbedded(field, value, path === "" ? key : `${path}.${key}`);
  return typeof rest === "object" ? validateEmbedded(rest, value, `${path}[${key}]`) : [];
}

function checkKind(resource: JsonObject, path: string): Cause[] {
  return ["apiVersion", "kind"]
    .filter((key) => typeof own(resource, key) !== "string" || own(resource, key) === "")
    .map((key) => required(path === "" ? key : `${path}.${key}`));
}
