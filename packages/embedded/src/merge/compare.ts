import { equalJson, isObject, type JsonObject, own } from "../schema/json.ts";
import { FieldSet, FieldSetBuilder } from "./field-set.ts";
import { itemElement } from "./list-items.ts";
import { formOf, type ListType, type MapType, type MergeType } from "./merge-type.ts";
import { fieldElement, type PathElement } from "./path-element.ts";

export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

const same: Comparison = { removed: FieldSet.empty, modified: FieldSet.empty, added: FieldSet.empty };

/** What changes from left to right, field by field. */
export function compare(type: MergeType, left: unknown, right: unknown): Comparison {
  if (left === right) return same;
  const walk = new Walk();
  walk.visit(type, left, right);
  return { removed: walk.removed.build(), modified: walk.modified.build(), added: walk.added.build() };
}

class Walk {
  readonly removed = new FieldSetBuilder();
  readonly modified = new FieldSetBuilder();
  readonly added = new FieldSetBuilder();
  readonly #path: PathElement[] = [];

  visit(type: MergeType, left: unknown, right: unknown): void {
    if (left === right) return;
    let form = formOf(type, right === undefined ? left : right);
    if (left !== undefined && right !== undefined) {
      // A value that changed its form counts in both: its old fields go, the new ones come.
      const before = formOf(type, left);
      if (before !== form) this.#visitForm(type, before, left, right);
      form = formOf(type, right);
    }
    const isLeaf = this.#visitForm(type, form, left, right);
    if (!isLeaf) this.#presence(left, right);
  }

  /** True if the whole value was treated as one. */
  #visitForm(type: MergeType, form: "map" | "scalar" | "list", left: unknown, right: unknown): boolean {
    if (form === "map" && type.map !== undefined) return this.#visitMaps(type.map, left, right);
    if (form === "list" && type.list !== undefined) return this.#visitLists(type.list, left, right);
    return this.#leaf(left, right);
  }

  #presence(left: unknown, right: unknown): void {
    if (left === undefined) this.added.insert(this.#path);
    else if (right === undefined) this.removed.insert(this.#path);
  }

  #leaf(left: unknown, right: unknown): true {
    if (left === undefined || right === undefined) this.#presence(left, right);
    else if (!equalJson(left, right)) this.modified.insert(this.#path);
    return true;
  }

  #visitMaps(map: MapType, left: unknown, right: unknown): boolean {
    const before = isObject(left) ? left : {};
    const after = isObject(right) ? right : {};
    const beforeKeys = Object.keys(before);
    const afterKeys = Object.keys(after);
    if (map.isAtomic || (beforeKeys.length === 0 && afterKeys.length === 0)) return this.#leaf(left, right);
    for (const key of beforeKeys) this.#visitField(map, key, before, after);
    for (const key of afterKeys) {
      if (!Object.hasOwn(before, key)) this.#visitField(map, key, before, after);
    }
    return false;
  }

  #visitField(map: MapType, key: string, before: JsonObject, after: JsonObject): void {
    this.#path.push(fieldElement(key));
    this.visit(map.typeOf(key) ?? {}, own(before, key), own(after, key));
    this.#path.pop();
  }

  #visitLists(list: ListType, left: unknown, right: unknown): boolean {
    const before = Array.isArray(left) ? left : [];
    const after = Array.isArray(right) ? right : [];
    if (!list.isAssociative || (before.length === 0 && after.length === 0)) return this.#leaf(left, right);
    const beforeItems = groupItems(list, before);
    const afterItems = groupItems(list, after);
    for (const [element, items] of beforeItems) {
      this.#visitItems(list, element, { left: items, right: afterItems.get(element) ?? [] });
    }
    for (const [element, items] of afterItems) {
      if (!beforeItems.has(element)) this.#visitItems(list, element, { left: [], right: items });
    }
    return false;
  }

  /** Items that occur more than once have no fields of their own: they are one value together. */
  #visitItems(
    list: ListType,
    element: PathElement,
    { left, right }: { left: readonly unknown[]; right: readonly unknown[] },
  ): void {
    this.#path.push(element);
    if (left.length <= 1 && right.length <= 1) {
      this.visit(list.element(), left[0], right[0]);
    } else if (left.length >= 2 && right.length >= 2) {
      if (!equalJson(left, right)) this.modified.insert(this.#path);
    } else if (left.length >= 2) {
      if (right.length > 0) this.visit(list.element(), undefined, right[0]);
      this.removed.insert(this.#path);
    } else {
      if (left.length > 0) this.visit(list.element(), left[0], undefined);
      this.added.insert(this.#path);
    }
    this.#path.pop();
  }
}

function groupItems(list: ListType, items: readonly unknown[]): Map<PathElement, unknown[]> {
  const groups = new Map<PathElement, unknown[]>();
  for (const item of items) {
    const element = itemElement(list, item);
    const group = groups.get(element);
    if (group === undefined) groups.set(element, [item]);
    else group.push(item);
  }
  return groups;
}
