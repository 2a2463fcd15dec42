import type { Defined } from "@chaski/kube";

/** The object without fields that say nothing: undefined, null, the empty string, an empty list, an empty map. */
export function filled<T extends object>(object: T): Defined<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value))) as Defined<T>;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** Sorts by a text of each, in the order of code units: the same on every machine. */
export function sortedBy<T>(items: readonly T[], text: (item: T) => string): T[] {
  return items.toSorted((a, b) => compareText(text(a), text(b)));
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Parts of foreign APIs are not validated: what should be a list and is none counts as empty. */
export function listOf<T>(value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? value : [];
}
