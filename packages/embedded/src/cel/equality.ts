import { Duration } from "@marcbachmann/cel-js/evaluator";

/** Equality of two values of expressions. */
export function equalValues(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) return Array.isArray(right) && equalLists(left, right);
  if (left instanceof Map) return right instanceof Map && equalMaps(left, right);
  return comparable(left) !== undefined && comparable(left) === comparable(right);
}

const unordered = new WeakSet<readonly unknown[]>();

export function asUnordered<T extends readonly unknown[]>(list: T): T {
  unordered.add(list);
  return list;
}

function equalLists(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false;
  if (!unordered.has(left) && !unordered.has(right)) return left.every((item, i) => equalValues(item, right[i]));
  return left.every((item) => right.some((other) => equalValues(item, other)));
}

function equalMaps(left: ReadonlyMap<unknown, unknown>, right: ReadonlyMap<unknown, unknown>): boolean {
  return (
    left.size === right.size && [...left].every(([key, value]) => right.has(key) && equalValues(value, right.get(key)))
  );
}

/** A text that equal values share; undefined for those that are equal only to themselves. */
function comparable(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "bigint") return `number ${value}`;
  if (value instanceof Date) return `time ${value.getTime()}`;
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString("hex")}`;
  return value instanceof Duration ? `duration ${value.seconds} ${value.nanos}` : undefined;
}
