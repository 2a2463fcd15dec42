import { Duration } from "@marcbachmann/cel-js/evaluator";

const unordered = new WeakSet<readonly unknown[]>();

/** Marks a list of type set or map: its order does not matter. */
export function asUnordered<T extends readonly unknown[]>(list: T): T {
  unordered.add(list);
  return list;
}

/** Equality of two values of expressions. */
export function equalValues(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) return Array.isArray(right) && equalLists(left, right);
  if (left instanceof Map) return right instanceof Map && equalMaps(left, right);
  return keyOf(left) === keyOf(right);
}

function equalLists(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false;
  if (!unordered.has(left) && !unordered.has(right)) return left.every((item, i) => equalValues(item, right[i]));
  const keys = new Set(right.map(keyOf));
  return left.every((item) => keys.has(keyOf(item)));
}

function equalMaps(left: ReadonlyMap<unknown, unknown>, right: ReadonlyMap<unknown, unknown>): boolean {
  if (left.size !== right.size) return false;
  return [...left].every(([key, value]) => right.has(key) && equalValues(value, right.get(key)));
}

/** A text that equal values share, and no others. */
export function keyOf(value: unknown): string {
  if (typeof value === "number" || typeof value === "bigint") return `n${value}`;
  if (Array.isArray(value)) {
    const keys = value.map(keyOf);
    return JSON.stringify(unordered.has(value) ? keys.toSorted() : keys);
  }
  if (value instanceof Map) {
    const entries = [...value].map((entry) => JSON.stringify(entry.map(keyOf)));
    return `m${JSON.stringify(entries.toSorted())}`;
  }
  if (value instanceof Date) return `t${value.getTime()}`;
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString("hex")}`;
  if (value instanceof Duration) return `d${value.seconds} ${value.nanos}`;
  return `j${JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "bigint" ? `${inner}` : inner))}`;
}
