// Kubernetes' own idea of equality: absent, null and empty are the same; quantities are equal by value.
import { compareQuantities, parseQuantity, type Quantity, roundUpToMilli } from "./quantity.ts";
import { type ComparedAs, type Ruling, rulingOf } from "./ruling.ts";

/** Whether two values mean the same. Lists keep their order; quantities are compared where the rules say so. */
export function semanticallyEqual(a: unknown, b: unknown, as?: ComparedAs): boolean {
  return areEqual(a, b, rulingOf(a, as));
}

function areEqual(a: unknown, b: unknown, ruling: Ruling): boolean {
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) && isEmpty(b);
  if (Array.isArray(a) && Array.isArray(b)) return areEqualLists(a, b, ruling.item());
  if (isObject(a) && isObject(b)) return areEqualObjects(a, b, ruling);
  return areEqualScalars(a, b, ruling);
}

function areEqualLists(a: readonly unknown[], b: readonly unknown[], item: Ruling): boolean {
  return a.length === b.length && a.every((value, index) => areEqual(value, b[index], item));
}

function areEqualObjects(a: JsonObject, b: JsonObject, ruling: Ruling): boolean {
  return (
    Object.keys(a).every((name) => areEqual(a[name], b[name], ruling.field(name))) &&
    Object.keys(b).every((name) => Object.hasOwn(a, name) || isEmpty(b[name]))
  );
}

export function areEqualScalars(a: unknown, b: unknown, { rule }: Ruling): boolean {
  if (a === b || rule.quantity === undefined) return a === b;
  const [left, right] = [quantityOf(a, rule.quantity), quantityOf(b, rule.quantity)];
  return left !== undefined && right !== undefined && compareQuantities(left, right) === 0;
}

function quantityOf(value: unknown, precision: "nano" | "milli"): Quantity | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const parsed = parseQuantity(value);
  if (!parsed.ok) return undefined;
  return precision === "milli" ? roundUpToMilli(parsed.value) : parsed.value;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Absent, null, an empty list, or an object with nothing but such in it. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isAbsent(value) || (isObject(value) && Object.values(value).every(isEmpty));
}
