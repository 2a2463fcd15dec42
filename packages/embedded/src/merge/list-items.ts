import { compareStrings } from "../schema/go-format.ts";
import { isObject } from "../schema/json.ts";
import type { ListType } from "./merge-type.ts";
import { keyElement, type PathElement, valueElement } from "./path-element.ts";

/** An item that has no identity in its list; the text is the server's. */
export class ItemError extends Error {
  override readonly name = "ItemError";
}

/** What tells the item of an associative list from the others. */
export function itemElement(list: ListType, item: unknown): PathElement {
  if (list.keys.length === 0) return setElement(item);
  if (typeof item !== "object" || item === null) return keyedElement(list, item);
  const found = known.get(item);
  if (found?.list === list) return found.element;
  const element = keyedElement(list, item);
  known.set(item, { list, element });
  return element;
}

// One apply asks for the same item several times, and objects are never changed in place.
const known = new WeakMap<object, { readonly list: ListType; readonly element: PathElement }>();

function keyedElement(list: ListType, item: unknown): PathElement {
  if (item === null) throw new ItemError("associative list with keys may not have a null element");
  if (!isObject(item)) throw new ItemError("associative list with keys may not have non-map elements");
  const keys: [string, unknown][] = [];
  for (const key of list.keys) {
    const value = Object.hasOwn(item, key) ? item[key] : list.keyDefault(key);
    if (value !== undefined) keys.push([key, value]);
  }
  if (keys.length === 0) {
    const names = list.keys.map((key) => JSON.stringify(key)).join(" ");
    throw new ItemError(
      `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    );
  }
  return keyElement(keys.length === 1 ? keys : keys.toSorted(([left], [right]) => compareStrings(left, right)));
}

function setElement(item: unknown): PathElement {
  if (item === null) throw new ItemError("associative list without keys has an element that's an explicit null");
  if (Array.isArray(item)) throw new ItemError("not supported: associative list with lists as elements");
  if (isObject(item)) throw new ItemError("associative list without keys has an element that's a map type");
  return valueElement(item);
}
