import { goJson, goKind, goType, goValue } from "../schema/go-format.ts";
import { isObject, type JsonObject, own, put } from "../schema/json.ts";
import type { SchemaNode } from "../schema/schema-node.ts";
import { withoutNulls } from "./json-merge-patch.ts";
import { PatchError } from "./patch-error.ts";
import { inOrder } from "./strategic-order.ts";

const marker = "$patch";
const retainKeys = "$retainKeys";
const orderPrefix = "$setElementOrder";
const deletePrefix = "$deleteFromPrimitiveList";

/** Throws PatchError. Shares what the patch leaves alone with live; modifies neither. */
export function strategicMergePatch(live: JsonObject, patch: unknown, schema: SchemaNode): JsonObject {
  if (!isObject(patch)) {
    throw new PatchError(400, `json: cannot unmarshal ${goKind(patch)} into Go value of type map[string]interface {}`);
  }
  return mergeMaps(live, patch, schema);
}

function mergeMaps(original: JsonObject, patch: JsonObject, schema: SchemaNode): JsonObject {
  if (Object.hasOwn(patch, marker)) return replaceOrDelete(patch);
  const merged = retained(original, patch);
  const ordered = mergeOrderedLists(merged, patch, schema);
  for (const key of Object.keys(patch)) {
    if (key === retainKeys || key.startsWith(orderPrefix) || ordered.has(key)) continue;
    mergeKey(merged, key, patch[key], schema);
  }
  return merged;
}

function replaceOrDelete(patch: JsonObject): JsonObject {
  const { [marker]: directive, ...rest } = patch;
  if (directive === "replace") return rest;
  if (directive === "delete") return {};
  throw new PatchError(500, `unknown patch type: ${goValue(directive)} in map: ${goValue(patch)}`);
}

/** A copy of the original, reduced to the keys that the patch wants retained. */
function retained(original: JsonObject, patch: JsonObject): JsonObject {
  if (!Object.hasOwn(patch, retainKeys)) return { ...original };
  const keys = patch[retainKeys];
  const isListed = (key: string) => Array.isArray(keys) && keys.includes(key);
  const isComplete = Object.keys(patch).every(
    (key) =>
      key === retainKeys ||
      isListed(key) ||
      patch[key] === null ||
      key.startsWith(deletePrefix) ||
      key.startsWith(orderPrefix),
  );
  if (!Array.isArray(keys) || !isComplete) throw new PatchError(400, "invalid patch format of retainKeys");
  const kept: JsonObject = {};
  for (const key of Object.keys(original).filter(isListed)) put(kept, key, original[key]);
  return kept;
}

function mergeKey(merged: JsonObject, patchKey: string, change: unknown, schema: SchemaNode): void {
  const deletes = patchKey.startsWith(deletePrefix);
  const key = deletes ? fieldOf(patchKey, deletePrefix, "invalid patch format of primitive list") : patchKey;
  if (change === null) {
    delete merged[key];
    return;
  }
  const before = own(merged, key);
  if (Array.isArray(before) && Array.isArray(change)) {
    put(merged, key, mergeLists(before, change, { field: fieldSchema(schema, key), deletes }));
  } else if (deletes) {
    return;
  } else if (isObject(before) && isObject(change)) {
    put(merged, key, mergeObjects(before, change, fieldSchema(schema, key)));
  } else {
    const value = withoutDirectives(withoutNulls(change));
    if (value === undefined) delete merged[key];
    else put(merged, key, value);
  }
}

function mergeObjects(before: JsonObject, change: JsonObject, field: SchemaNode): JsonObject {
  return field.patchStrategy?.includes("replace") === true ? change : mergeMaps(before, change, field);
}

function fieldOf(key: string, prefix: string, problem: string): string {
  const slash = key.indexOf("/");
  if (slash < 0 || key.slice(0, slash) !== prefix) throw new PatchError(400, problem);
  return key.slice(slash + 1);
}

function fieldSchema(schema: SchemaNode, key: string): SchemaNode {
  const rest = schema.additionalProperties;
  const field = schema.properties?.get(key) ?? (typeof rest === "object" ? rest : undefined);
  if (field !== undefined) return field;
  throw new PatchError(500, `unable to find api field in struct ${typeName(schema)} for the json field ${goJson(key)}`);
}

/** Undefined: the value is itself a directive. */
function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, marker)) return undefined;
  const kept: JsonObject = {};
  for (const key of Object.keys(value)) {
    const below = withoutDirectives(value[key]);
    if (below !== undefined) put(kept, key, below);
  }
  return kept;
}

interface ListField {
  readonly field: SchemaNode;
  readonly deletes: boolean;
}

function mergeLists(before: readonly unknown[], change: readonly unknown[], { field, deletes }: ListField): unknown[] {
  if (!deletes && field.patchStrategy?.includes("merge") !== true) return [...change];
  if (before.length === 0 && change.length === 0) return [];
  if (isListOfMaps(before, change)) return mergeMapLists(before as JsonObject[], change as JsonObject[], listOf(field));
  if (deletes) return before.filter((item) => !change.includes(item));
  return inOrder([...new Set([...before, ...change])], { order: change, live: before });
}

function listOf({ patchMergeKey: mergeKey, items = {} }: SchemaNode): MapList {
  if (mergeKey !== undefined) return { mergeKey, schema: items };
  throw new PatchError(500, `cannot merge lists without merge key for ${typeName(items)}`);
}

/** As Go names it. */
function typeName({ name = "" }: SchemaNode): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

function isListOfMaps(...lists: readonly (readonly unknown[])[]): boolean {
  const items = lists.flat();
  if (items.length === 0) throw new PatchError(500, "no elements in any of the given slices");
  if (items.some(Array.isArray)) throw new PatchError(422, "lists of lists are not supported");
  if (new Set(items.map(goType)).size > 1) {
    throw new PatchError(500, `list element types are not identical: ${goValue(lists)}`);
  }
  return isObject(items[0]);
}

interface MapList {
  readonly mergeKey: string;
  readonly schema: SchemaNode;
}

function mergeMapLists(before: readonly JsonObject[], change: readonly JsonObject[], list: MapList): unknown[] {
  const { kept, items, replaces } = applyItemDirectives(before, change, list.mergeKey);
  if (replaces) return items;
  const merged = [...kept];
  for (const item of items) {
    const key = keyOf(item, list.mergeKey);
    const index = merged.findIndex((other) => own(other, list.mergeKey) === key);
    const found = merged[index];
    if (found === undefined) merged.push(item);
    else merged[index] = mergeMaps(found, item, list.schema);
  }
  for (const item of merged) keyOf(item, list.mergeKey);
  return inOrder(merged, { order: items, live: kept, mergeKey: list.mergeKey });
}

function keyOf(item: JsonObject, mergeKey: string): unknown {
  if (Object.hasOwn(item, mergeKey)) return item[mergeKey];
  throw new PatchError(500, `map: ${goValue(item)} does not contain declared merge key: ${mergeKey}`);
}

/** Items with `$patch` remove others or replace the list; the rest is merged. */
function applyItemDirectives(before: readonly JsonObject[], change: readonly JsonObject[], mergeKey: string) {
  let kept = before;
  let replaces = false;
  const items: JsonObject[] = [];
  for (const item of change) {
    const directive = own(item, marker);
    if (!Object.hasOwn(item, marker)) items.push(item);
    else if (directive === "replace") replaces = true;
    else if (directive === "delete") {
      const key = keyOf(item, mergeKey);
      kept = kept.filter((other) => own(other, mergeKey) !== key);
    } else if (directive === "merge") {
      throw new PatchError(500, "merging lists cannot yet be specified in the patch");
    } else {
      throw new PatchError(500, `unknown patch type: ${goValue(directive)} in map: ${goValue(item)}`);
    }
  }
  return { kept, items, replaces };
}

/** Lists whose order the patch gives; returns the keys that are done with. */
function mergeOrderedLists(merged: JsonObject, patch: JsonObject, schema: SchemaNode): ReadonlySet<string> {
  const done = new Set<string>();
  for (const patchKey of Object.keys(patch)) {
    if (!patchKey.startsWith(orderPrefix)) continue;
    const order = asList(patch[patchKey]);
    const key = fieldOf(patchKey, orderPrefix, "invalid patch format of setElementOrder list");
    const before = Object.hasOwn(merged, key) ? asList(merged[key]) : undefined;
    const change = Object.hasOwn(patch, key) ? asList(patch[key]) : undefined;
    const list = mergeOrderedList(before, change, { order, field: fieldSchema(schema, key) });
    if (list === undefined) continue;
    put(merged, key, list);
    done.add(key);
  }
  return done;
}

interface OrderedList {
  readonly order: readonly unknown[];
  readonly field: SchemaNode;
}

function mergeOrderedList(
  before: unknown[] | undefined,
  change: unknown[] | undefined,
  { order, field }: OrderedList,
): unknown[] | undefined {
  const { patchMergeKey: mergeKey } = field;
  checkOrder(change ?? [], order, mergeKey);
  if (before === undefined && change === undefined) return undefined;
  const joined = joinLists(before, change, field);
  isListOfMaps(before ?? [], change ?? []);
  if (mergeKey === undefined) return inOrder(joined, { order, live: before ?? [] });
  return inOrder(joined, { order, live: reusedPlaces(before ?? [], change ?? [], mergeKey), mergeKey });
}

/** The server lets new items have the places of those that the patch removed, and orders by that. */
function reusedPlaces(before: readonly unknown[], change: readonly unknown[], mergeKey: string): unknown[] {
  const idOf = (item: unknown) => (isObject(item) ? own(item, mergeKey) : undefined);
  const removed = new Set(change.filter((item) => isObject(item) && own(item, marker) === "delete").map(idOf));
  const kept = before.filter((item) => !removed.has(idOf(item)));
  const known = new Set(kept.map(idOf));
  const added = change.filter((item) => isObject(item) && !Object.hasOwn(item, marker) && !known.has(idOf(item)));
  return [...kept, ...added].slice(0, before.length);
}

function joinLists(before: unknown[] | undefined, change: unknown[] | undefined, field: SchemaNode): unknown[] {
  if (change === undefined) return before ?? [];
  if (before === undefined) return withoutDirectives(change) as unknown[];
  return mergeLists(before, change, { field, deletes: false });
}

function asList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw new PatchError(500, `expected a []interface {}, but received a ${goType(value)}`);
}

/** What is patched has to be in the order list, in the same order. */
function checkOrder(change: readonly unknown[], order: readonly unknown[], mergeKey: string | undefined): void {
  if (order.length === 0 || change.length === 0) return;
  const idOf = (item: unknown) => (mergeKey === undefined ? item : keyOf(isObject(item) ? item : {}, mergeKey));
  const isDirective = (item: unknown) => isObject(item) && Object.hasOwn(item, marker);
  const patched = change.filter((item) => !(isObject(item) && own(item, marker) === "delete"));
  let next = 0;
  for (const item of order) {
    while (next < patched.length && isDirective(patched[next])) next++;
    if (next < patched.length && idOf(item) === idOf(patched[next])) next++;
  }
  if (next < patched.length) {
    throw new PatchError(
      500,
      `The order in patch list:\n${goValue(change)}\n doesn't match $setElementOrder list:\n${goValue(order)}\n`,
    );
  }
}
