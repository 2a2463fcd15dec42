import { isObject, type JsonObject, put } from "../schema/json.ts";
import { FieldSet } from "./field-set.ts";
import { itemElement } from "./list-items.ts";
import { formOf, type ListType, type MapType, type MergeType } from "./merge-type.ts";
import { fieldElement, fieldNameOf, isKeyElement, type PathElement } from "./path-element.ts";

/** The value without the set's fields and items. What has nothing left in it becomes null, as on the server. */
export function removeItems(type: MergeType, value: unknown, set: FieldSet): unknown {
  const form = formOf(type, value);
  if (form === "map" && type.map !== undefined) return removeFromMap(type.map, value, set);
  if (form === "list" && type.list !== undefined) return removeFromList(type.list, value, set);
  return value;
}

function removeFromMap(map: MapType, value: unknown, set: FieldSet): unknown {
  if (!isObject(value) || map.isAtomic) return null;
  const kept: JsonObject = {};
  let isChanged = false;
  let count = 0;
  for (const key of Object.keys(value)) {
    const element = fieldElement(key);
    if (set.hasMember(element)) {
      isChanged = true;
      continue;
    }
    const after = removeBelow(map.typeOf(key), value[key], set.childrenOf(element));
    if (after !== value[key]) isChanged = true;
    put(kept, key, after);
    count++;
  }
  if (count === 0) return null;
  return isChanged ? kept : value;
}

function removeFromList(list: ListType, value: unknown, set: FieldSet): unknown {
  if (!Array.isArray(value) || !list.isAssociative) return null;
  const kept: unknown[] = [];
  let isChanged = false;
  for (const item of value) {
    const element = itemElement(list, item);
    if (set.hasMember(element)) {
      isChanged = true;
      continue;
    }
    const after = removeBelow(list.element(), item, set.childrenOf(element));
    if (after !== item) isChanged = true;
    kept.push(after);
  }
  if (kept.length === 0) return null;
  return isChanged ? kept : value;
}

function removeBelow(type: MergeType | undefined, value: unknown, set: FieldSet): unknown {
  return set.isEmpty ? value : removeItems(type ?? {}, value, set);
}

/** The set with the declared fields on the way to its members; field sets leave those out. */
export function withNamedFields(type: MergeType | undefined, set: FieldSet): FieldSet {
  if (set.isEmpty) return set;
  const entries = new Map<PathElement, { isMember: boolean; children: FieldSet }>();
  for (const [element, entry] of set.entries) {
    const children = withNamedFields(typeBelow(type, element), entry.children);
    const name = fieldNameOf(element);
    const isNamed = name !== undefined && !children.isEmpty && type?.map?.isField(name) === true;
    entries.set(element, { isMember: entry.isMember || isNamed, children });
  }
  return new FieldSet(entries);
}

function typeBelow(type: MergeType | undefined, element: PathElement): MergeType | undefined {
  const name = fieldNameOf(element);
  if (name !== undefined) return type?.map?.typeOf(name);
  return isKeyElement(element) ? type?.list?.element() : undefined;
}
