import type { KubeObject } from "@chaski/kube";

/** Whether an update left everything equal that the cache keeps, the version stamps aside. */
export function isSameProjection(old: Readonly<KubeObject>, object: Readonly<KubeObject>): boolean {
  if (old === object) return true;
  const { metadata: oldMetadata, ...oldRest } = old;
  const { metadata, ...rest } = object;
  return isEqualJson(oldRest, rest) && isEqualJson(unstamped(oldMetadata), unstamped(metadata));
}

function unstamped(metadata: KubeObject["metadata"]): object {
  const { resourceVersion: _version, managedFields: _managers, ...rest } = metadata;
  return rest;
}

/** Equality of JSON values; the order of an object's fields does not count. */
function isEqualJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return isEqualList(a, b);
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const fields = Object.keys(left);
  return (
    fields.length === Object.keys(right).length &&
    fields.every((field) => Object.hasOwn(right, field) && isEqualJson(left[field], right[field]))
  );
}

function isEqualList(a: unknown, b: unknown): boolean {
  return (
    Array.isArray(a) &&
    Array.isArray(b) &&
    a.length === b.length &&
    a.every((item, index) => isEqualJson(item, b[index]))
  );
}
