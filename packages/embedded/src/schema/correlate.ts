import { equalJson, isObject, own } from "./json.ts";
import type { SchemaNode } from "./schema-node.ts";

/** The item of the stored list that the new one replaces: only lists of type map can tell. */
export function correlatedItem(list: SchemaNode, previous: unknown, item: unknown): unknown {
  if (list.listType !== "map" || !Array.isArray(previous) || !isObject(item)) return undefined;
  const keys = list.listMapKeys ?? [];
  const keyOf = (object: Record<string, unknown>, key: string) =>
    own(object, key) ?? list.items?.properties?.get(key)?.default;
  return previous.find(
    (candidate) => isObject(candidate) && keys.every((key) => equalJson(keyOf(candidate, key), keyOf(item, key))),
  );
}
