import { type FieldSet, FieldSetBuilder } from "./field-set.ts";
import type { ListType, MapType, MergeType } from "./merge-type.ts";
import { fieldNameOf, type PathElement } from "./path-element.ts";

// Sets and types are immutable and sets are shared between writes, so one that fits is not looked at again.
const fitting = new WeakMap<FieldSet, MergeType>();

/** The set after its type became atomic: who owned fields in it now owns the whole. */
export function reconcileWithType(type: MergeType, set: FieldSet): FieldSet {
  if (fitting.get(set) === type) return set;
  const walk = new Walk();
  walk.visit(type, { set, isOwned: false });
  const toWhole = walk.toWhole.build();
  const reconciled = toWhole.isEmpty ? set : set.recursiveDifference(toWhole).union(toWhole);
  fitting.set(reconciled, type);
  return reconciled;
}

interface Place {
  readonly set: FieldSet;
  /** The value itself is owned and nothing below it is. */
  readonly isOwned: boolean;
}

class Walk {
  readonly toWhole = new FieldSetBuilder();
  readonly #path: PathElement[] = [];

  visit(type: MergeType, place: Place): void {
    if (type.map !== undefined) this.#visitMap(type.map, place);
    else if (type.scalar === undefined && type.list !== undefined) this.#visitList(type.list, place);
  }

  #visitMap(map: MapType, { set, isOwned }: Place): void {
    if (map.isDeduced()) return;
    if (map.isAtomic && !isOwned) {
      if (!set.isEmpty) this.toWhole.insert(this.#path);
      return;
    }
    this.#visitBelow(set, (element) => {
      const name = fieldNameOf(element);
      return name === undefined ? undefined : map.typeOf(name);
    });
  }

  #visitList(list: ListType, { set, isOwned }: Place): void {
    if (!list.isAssociative && !isOwned) this.toWhole.insert(this.#path);
    else this.#visitBelow(set, () => list.element());
  }

  #visitBelow(set: FieldSet, typeOf: (element: PathElement) => MergeType | undefined): void {
    for (const [element, entry] of set.entries) {
      const type = typeOf(element);
      if (type === undefined) continue;
      this.#path.push(element);
      this.visit(type, { set: entry.children, isOwned: entry.isMember && entry.children.isEmpty });
      this.#path.pop();
    }
  }
}
