import { isObject, type JsonObject } from "../schema/json.ts";
import { type FieldSet, FieldSetBuilder } from "./field-set.ts";
import { itemElement } from "./list-items.ts";
import { formOf, type ListType, type MapType, type MergeType } from "./merge-type.ts";
import { fieldElement, type PathElement } from "./path-element.ts";

/** Every leaf and item that the value mentions. */
export function fieldSetOf(type: MergeType, value: unknown): FieldSet {
  const builder = new FieldSetBuilder();
  collect(builder, type, value);
  return builder.build();
}

function collect(set: FieldSetBuilder, type: MergeType, value: unknown): void {
  const form = formOf(type, value);
  if (form === "map" && type.map !== undefined) collectMap(set, type.map, value);
  else if (form === "list" && type.list !== undefined) collectList(set, type.list, value);
  else set.addSelf();
}

function collectMap(set: FieldSetBuilder, map: MapType, value: unknown): void {
  if (map.isAtomic) return set.addSelf();
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) {
    const child = set.child(fieldElement(key));
    const field = value[key];
    collect(child, map.typeOf(key) ?? {}, field);
    if (field === null || isEmptyObject(field) || !map.isField(key)) child.addSelf();
  }
}

function isEmptyObject(value: unknown): value is JsonObject {
  return isObject(value) && Object.keys(value).length === 0;
}

function collectList(set: FieldSetBuilder, list: ListType, value: unknown): void {
  if (!list.isAssociative) return set.addSelf();
  if (!Array.isArray(value)) return;
  const elements = value.map((item) => itemElement(list, item));
  const duplicates = repeated(elements);
  for (const [i, element] of elements.entries()) {
    const child = set.child(element);
    child.addSelf();
    if (!duplicates.has(element)) collect(child, list.element(), value[i]);
  }
}

function repeated(elements: readonly PathElement[]): ReadonlySet<PathElement> {
  const seen = new Set<PathElement>();
  const twice = new Set<PathElement>();
  for (const element of elements) {
    if (seen.has(element)) twice.add(element);
    seen.add(element);
  }
  return twice;
}
