import { isObject, type JsonObject } from "../schema/json.ts";
import { FieldSet } from "./field-set.ts";
import { compareElements, describePath, type PathElement } from "./path-element.ts";

// Stored objects are never changed in place, so a FieldsV1 is decoded once and an encoded set is never decoded at all.
const decoded = new WeakMap<object, FieldSet>();
const encoded = new WeakMap<FieldSet, JsonObject>();

export function decodeFields(fields: unknown): FieldSet {
  if (!isObject(fields)) return FieldSet.empty;
  const known = decoded.get(fields);
  if (known !== undefined) return known;
  const set = readChildren(fields);
  decoded.set(fields, set);
  return set;
}

function readChildren(fields: JsonObject): FieldSet {
  const entries = new Map<PathElement, { isMember: boolean; children: FieldSet }>();
  for (const key of Object.keys(fields)) {
    if (key === "." || !isPathElement(key)) continue;
    const below = fields[key];
    const children = isObject(below) ? readChildren(below) : FieldSet.empty;
    entries.set(key, { isMember: children.isEmpty || (isObject(below) && Object.hasOwn(below, ".")), children });
  }
  return entries.size === 0 ? FieldSet.empty : new FieldSet(entries);
}

/** Elements of a kind that nobody knows are dropped, as the server does. */
function isPathElement(key: string): boolean {
  return key.length >= 2 && key[1] === ":" && "fkvi".includes(key[0] ?? "");
}

export function encodeFields(set: FieldSet): JsonObject {
  const fields = encodeSet(set);
  decoded.set(fields, set);
  return fields;
}

const nothing: JsonObject = Object.freeze({});

/** Parts of sets are shared, so their encodings are kept too. */
function encodeSet(set: FieldSet): JsonObject {
  if (set.isEmpty) return nothing;
  const known = encoded.get(set);
  if (known !== undefined) return known;
  const fields: JsonObject = {};
  for (const element of sortedElements(set)) {
    const entry = set.entries.get(element);
    if (entry === undefined) continue;
    const below = encodeSet(entry.children);
    fields[element] = entry.isMember && !entry.children.isEmpty ? { ".": nothing, ...below } : below;
  }
  encoded.set(set, fields);
  return fields;
}

function sortedElements(set: FieldSet): PathElement[] {
  return [...set.entries.keys()].toSorted(compareElements);
}

/** Every member, in the server's order: at each level members first, then what lies deeper. */
export function* pathsOf(set: FieldSet, prefix: readonly PathElement[] = []): Generator<readonly PathElement[]> {
  const elements = sortedElements(set);
  for (const element of elements) {
    if (set.hasMember(element)) yield [...prefix, element];
  }
  for (const element of elements) yield* pathsOf(set.childrenOf(element), [...prefix, element]);
}

export function describeSet(set: FieldSet): string[] {
  return [...pathsOf(set)].map(describePath);
}
