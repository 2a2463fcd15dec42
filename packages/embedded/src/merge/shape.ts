import { equalJson, isObject, type JsonObject } from "../schema/json.ts";
import type { ListType, MergeType } from "./merge-type.ts";

/** What of a value decides which fields it has and whether they fit: all but what most of its scalars say. */
type Shape =
  | { readonly kind: "exact"; readonly value: unknown }
  | { readonly kind: "scalar"; readonly type: string }
  | { readonly kind: "list"; readonly items: readonly Shape[] }
  | { readonly kind: "object"; readonly keys: readonly string[]; readonly fields: readonly Shape[] };

const SHAPES_MAX = 4;

/** Programs write objects of few shapes, so what follows from the shape alone is worked out once. */
export class ShapeMemo<T> {
  readonly #known: { readonly shape: Shape; readonly result: T }[] = [];

  find(value: unknown): T | undefined {
    for (const { shape, result } of this.#known) if (hasShape(shape, value)) return result;
    return undefined;
  }

  /** `live` is what the value was compared with, if it was: scalars that both have count then. */
  remember({ type, value, live }: { type: MergeType; value: unknown; live?: unknown }, result: T): void {
    if (this.#known.length === SHAPES_MAX) this.#known.pop();
    this.#known.unshift({ shape: shapeOf(type, value, live), result });
  }
}

/** One memo for each type. */
export function shapeMemos<T>(): (type: MergeType) => ShapeMemo<T> {
  const memos = new WeakMap<MergeType, ShapeMemo<T>>();
  return (type) => {
    const memo = memos.get(type) ?? new ShapeMemo<T>();
    memos.set(type, memo);
    return memo;
  };
}

function shapeOf(type: MergeType | undefined, value: unknown, live: unknown): Shape {
  if (live !== undefined && live !== null && !isObject(live)) return { kind: "exact", value };
  if (Array.isArray(value)) return { kind: "list", items: value.map((item) => itemShape(type?.list, item)) };
  if (!isObject(value)) return value === null ? { kind: "exact", value } : { kind: "scalar", type: typeof value };
  return objectShape(value, (key) => {
    const before = isObject(live) && Object.hasOwn(live, key) ? live[key] : undefined;
    return shapeOf(type?.map?.typeOf(key), value[key], before);
  });
}

/** Items of associative lists are told by their keys, or else by themselves. */
function itemShape(list: ListType | undefined, item: unknown): Shape {
  if (list === undefined || !list.isAssociative) return shapeOf(list?.element(), item, undefined);
  if (!isObject(item)) return { kind: "exact", value: item };
  return objectShape(item, (key) =>
    list.keys.includes(key)
      ? { kind: "exact", value: item[key] }
      : shapeOf(list.element().map?.typeOf(key), item[key], undefined),
  );
}

function objectShape(value: JsonObject, shapeOfField: (key: string) => Shape): Shape {
  const keys = Object.keys(value);
  return { kind: "object", keys, fields: keys.map(shapeOfField) };
}

/** Fields in another order are another shape, which costs time but is never wrong. */
function hasShape(shape: Shape, value: unknown): boolean {
  switch (shape.kind) {
    case "scalar":
      return shape.type === typeof value;
    case "exact":
      return equalJson(shape.value, value);
    case "list":
      return Array.isArray(value) && haveShapes(shape.items, value);
    default:
      return isObject(value) && haveFields(shape.keys, shape.fields, value);
  }
}

function haveShapes(shapes: readonly Shape[], values: readonly unknown[]): boolean {
  if (shapes.length !== values.length) return false;
  return shapes.every((shape, i) => hasShape(shape, values[i]));
}

function haveFields(expected: readonly string[], shapes: readonly Shape[], value: JsonObject): boolean {
  const keys = Object.keys(value);
  if (keys.length !== expected.length) return false;
  return shapes.every((shape, i) => {
    const key = keys[i] ?? "";
    return key === expected[i] && hasShape(shape, value[key]);
  });
}
