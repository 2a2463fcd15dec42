import { equalJson, isObject, type JsonObject, own, put } from "../schema/json.ts";
import { itemElement } from "./list-items.ts";
import { formOf, type ListType, type MapType, type MergeType } from "./merge-type.ts";
import type { PathElement } from "./path-element.ts";

/**
 * Live with what was applied laid over it; nothing is removed. Returns live itself where nothing changes, so that
 * an unchanged part can be told by identity. Undefined is absent, null is a value. Both must fit the type.
 */
export function merge(type: MergeType, live: unknown, applied: unknown): unknown {
  if (applied === undefined) return live;
  if (live === undefined) return applied;
  const form = formOf(type, applied);
  if (form === "map" && type.map !== undefined) return mergeMaps(type.map, live, applied);
  if (form === "list" && type.list !== undefined) return mergeLists(type.list, live, applied);
  return mergeLeaf(live, applied);
}

function mergeLeaf(live: unknown, applied: unknown): unknown {
  return equalJson(live, applied) ? live : applied;
}

function mergeMaps(map: MapType, live: unknown, applied: unknown): unknown {
  const isLiveFilled = isFilledObject(live);
  if (map.isAtomic || (!isLiveFilled && !isFilledObject(applied))) return mergeLeaf(live, applied);
  if (!isFilledObject(applied)) return live;
  return isLiveFilled ? mergeFields(map, live, applied) : applied;
}

function mergeFields(map: MapType, live: JsonObject, applied: JsonObject): JsonObject {
  let merged: JsonObject | undefined;
  for (const key of Object.keys(applied)) {
    const before = own(live, key);
    const after = merge(map.typeOf(key) ?? {}, before, applied[key]);
    if (after !== before) put((merged ??= { ...live }), key, after);
  }
  return merged ?? live;
}

function isFilledObject(value: unknown): value is JsonObject {
  return isObject(value) && Object.keys(value).length > 0;
}

function mergeLists(list: ListType, live: unknown, applied: unknown): unknown {
  const before = Array.isArray(live) ? live : [];
  const changes = Array.isArray(applied) ? applied : [];
  if (!list.isAssociative || (before.length === 0 && changes.length === 0)) return mergeLeaf(live, applied);
  if (changes.length === 0) return live;
  if (before.length === 0) return applied;
  const merged = new ListMerge(list, before, changes).run();
  return merged.length === before.length && merged.every((item, i) => item === before[i]) ? live : merged;
}

/** Merges two associative lists: applied items keep their order, live ones stay beside their neighbours. */
class ListMerge {
  readonly #element: MergeType;
  readonly #before: readonly unknown[];
  readonly #beforeElements: readonly PathElement[];
  /** Null for items that live has more than once: they are replaced, not merged. */
  readonly #beforeItems = new Map<PathElement, unknown>();
  readonly #changeElements: readonly PathElement[];
  readonly #changeItems = new Map<PathElement, unknown>();
  readonly #taken = new Set<PathElement>();
  readonly #shared: PathElement[];
  readonly #merged: unknown[] = [];
  #nextShared: PathElement | undefined;
  #i = 0;
  #j = 0;

  constructor(list: ListType, before: readonly unknown[], changes: readonly unknown[]) {
    this.#element = list.element();
    this.#before = before;
    this.#beforeElements = before.map((item) => itemElement(list, item));
    for (const [i, element] of this.#beforeElements.entries()) {
      this.#beforeItems.set(element, this.#beforeItems.has(element) ? null : before[i]);
    }
    this.#changeElements = changes.map((item) => itemElement(list, item));
    for (const [i, element] of this.#changeElements.entries()) this.#changeItems.set(element, changes[i]);
    this.#shared = this.#changeElements.filter((element) => this.#beforeItems.has(element));
    this.#nextShared = this.#shared.shift();
  }

  run(): unknown[] {
    while (this.#i < this.#beforeElements.length || this.#j < this.#changeElements.length) {
      const left = this.#beforeElements[this.#i];
      const right = this.#changeElements[this.#j];
      if (left !== undefined && left !== right && this.#passes(left, right)) {
        this.#i++;
      } else {
        if (left !== undefined && (left === right || this.#taken.has(left))) this.#i++;
        if (right !== undefined) this.#take(right);
      }
    }
    return this.#merged;
  }

  /** Live's item has its place here or is left for later. */
  #passes(left: PathElement, right: PathElement | undefined): boolean {
    if (this.#skips(left, right)) return true;
    if (this.#changeItems.has(left)) return false;
    this.#merged.push(this.#before[this.#i]);
    return true;
  }

  /** An item of both lists, but not the one whose turn it is. */
  #skips(left: PathElement, right: PathElement | undefined): boolean {
    if (right === undefined || this.#nextShared === undefined) return false;
    return this.#changeItems.has(left) && this.#nextShared !== left;
  }

  #take(element: PathElement): void {
    this.#taken.add(element);
    this.#merged.push(merge(this.#element, this.#beforeItems.get(element), this.#changeItems.get(element)));
    if (this.#nextShared === element) this.#nextShared = this.#shared.shift();
    this.#j++;
  }
}
