// Places in a document, as a JSON patch names, reads and changes them. Problems are texts in the server's words.
import { type JsonObject, own, put } from "../schema/json.ts";

/** Object or list and the place in it that a pointer names. */
export interface Target {
  readonly container: JsonObject | unknown[];
  readonly key: string;
}

/** The index of an existing item; a text if there is none. */
export function indexOf(list: readonly unknown[], key: string): number | string {
  const index = integerOf(key);
  if (typeof index === "string") return index;
  const place = index < 0 ? index + list.length : index;
  return place < 0 || place >= list.length ? invalidIndex(index) : place;
}

function integerOf(key: string): number | string {
  if (!/^[+-]?\d+$/.test(key)) return `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`;
  const index = BigInt(key.replace("+", ""));
  if (BigInt.asIntN(64, index) !== index) return `strconv.Atoi: parsing ${JSON.stringify(key)}: value out of range`;
  return Number(index);
}

function invalidIndex(index: number): string {
  return `Unable to access invalid index: ${index}: invalid index referenced`;
}

export function read({ container, key }: Target): unknown {
  if (!Array.isArray(container)) return own(container, key);
  const index = indexOf(container, key);
  return typeof index === "number" ? container[index] : undefined;
}

export function write({ container, key }: Target, value: unknown): void {
  if (!Array.isArray(container)) return put(container, key, value);
  const index = indexOf(container, key);
  if (typeof index === "number") container[index] = value;
}

/** A text if the value can't be added there. */
export function add({ container, key }: Target, value: unknown): string | undefined {
  if (!Array.isArray(container)) {
    put(container, key, value);
    return undefined;
  }
  if (key === "-") {
    container.push(value);
    return undefined;
  }
  const index = integerOf(key);
  if (typeof index === "string") return `value was not a proper array index: '${key}': ${index}`;
  const place = index < 0 ? index + container.length + 1 : index;
  if (place < 0 || place > container.length) return invalidIndex(index);
  container.splice(place, 0, value);
  return undefined;
}

export function remove({ container, key }: Target): string | undefined {
  if (Array.isArray(container)) {
    const index = indexOf(container, key);
    if (typeof index === "string") return index;
    container.splice(index, 1);
    return undefined;
  }
  if (!Object.hasOwn(container, key)) return `Unable to remove nonexistent key: ${key}: missing value`;
  delete container[key];
  return undefined;
}

/** Why the value can't be read; an object's missing key reads as nothing. */
export function unreadable({ container, key }: Target): string | undefined {
  if (!Array.isArray(container)) return undefined;
  const index = indexOf(container, key);
  return typeof index === "string" ? index : undefined;
}
