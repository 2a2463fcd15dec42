import type { Cause } from "./cause.ts";
import { duplicate, invalid } from "./field-error.ts";
import { goJson } from "./go-format.ts";
import { isObject, type JsonObject, own, put } from "./json.ts";
import type { SchemaNode } from "./schema-node.ts";

/** Items that a list of type set or map has more than once. */
export function validateLists(schema: SchemaNode, value: unknown, path = ""): Cause[] {
  if (Array.isArray(value)) return validateList(schema, value, path);
  return isObject(value) ? validateFields(schema, value, path) : [];
}

function validateFields(schema: SchemaNode, value: JsonObject, path: string): Cause[] {
  const rest = schema.additionalProperties;
  return Object.keys(value).flatMap((key) => {
    const field = schema.properties?.get(key);
    if (field !== undefined) return validateLists(field, value[key], path === "" ? key : `${path}.${key}`);
    return typeof rest === "object" ? validateLists(rest, value[key], `${path}[${key}]`) : [];
  });
}

function validateList(schema: SchemaNode, value: readonly unknown[], path: string): Cause[] {
  const causes: Cause[] = [];
  if (schema.listType === "set") causes.push(...duplicatesOf(value, path));
  if (schema.listType === "map") causes.push(...validateListMap(schema, value, path));
  const { items } = schema;
  if (items === undefined) return causes;
  return [...causes, ...value.flatMap((item, i) => validateLists(items, item, `${path}[${i}]`))];
}

/** Only the second appearance is reported, not the third. */
function duplicatesOf(values: readonly unknown[], path: string): Cause[] {
  const seen = new Map<string, number>();
  const causes: Cause[] = [];
  for (const [i, value] of values.entries()) {
    const key = goJson(value);
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    if (times === 1) causes.push(duplicate(`${path}[${i}]`, value));
  }
  return causes;
}

function validateListMap(schema: SchemaNode, value: readonly unknown[], path: string): Cause[] {
  const odd = value.findIndex((item) => item !== null && !isObject(item));
  if (odd >= 0) return [invalid(`${path}[${odd}]`, value[odd], "must be an object for an array of list-type map")];
  const keys = value.map((item) => {
    const key: JsonObject = {};
    for (const name of schema.listMapKeys ?? []) {
      const part = isObject(item) ? own(item, name) : undefined;
      if (part !== undefined) put(key, name, part);
    }
    return key;
  });
  return duplicatesOf(keys, path);
}
