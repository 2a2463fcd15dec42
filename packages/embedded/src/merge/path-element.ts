import { compareStrings, goJson } from "../schema/go-format.ts";
import { isNumber, isObject } from "../schema/json.ts";

// A path element is its FieldsV1 text: `f:name` a field, `k:{…}` an item by its keys, `v:…` an item of a set, `i:0` an
// item by position. Equal elements have equal texts, so texts serve as keys of maps.
export type PathElement = string;

const KNOWN_MAX = 10_000;
const fieldElements = new Map<string, PathElement>();

/** Kept, because a text that is made anew has to be hashed anew by every map that it is looked up in. */
export function fieldElement(name: string): PathElement {
  const known = fieldElements.get(name);
  if (known !== undefined) return known;
  if (fieldElements.size >= KNOWN_MAX) fieldElements.clear();
  const element = `f:${name}`;
  fieldElements.set(name, element);
  return element;
}

/** `keys` sorted by name. */
export function keyElement(keys: readonly (readonly [string, unknown])[]): PathElement {
  return `k:{${keys.map(([name, value]) => `${goJson(name)}:${goJson(value)}`).join(",")}}`;
}

export function valueElement(value: unknown): PathElement {
  return `v:${goJson(value)}`;
}

/** The name if the element is a field. */
export function fieldNameOf(element: PathElement): string | undefined {
  return element.startsWith("f:") ? element.slice(2) : undefined;
}

export function isKeyElement(element: PathElement): boolean {
  return element.startsWith("k:");
}

/** As in messages: `.spec.ports[port=80,protocol="TCP"]`. */
export function describePath(path: readonly PathElement[]): string {
  return path.map(describeElement).join("");
}

export function describeElement(element: PathElement): string {
  const content = element.slice(2);
  switch (element[0]) {
    case "f":
      return `.${content}`;
    case "k":
      return `[${keyFieldsOf(element)
        .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
        .join(",")}]`;
    case "v":
      return `[=${JSON.stringify(JSON.parse(content))}]`;
    default:
      return `[${content}]`;
  }
}

function keyFieldsOf(element: PathElement): [string, unknown][] {
  return Object.entries(JSON.parse(element.slice(2)));
}

/** The server's order of path elements. */
export function compareElements(left: PathElement, right: PathElement): number {
  if (left[0] !== right[0]) return "fkvi".indexOf(left[0] ?? "") - "fkvi".indexOf(right[0] ?? "");
  switch (left[0]) {
    case "f":
      return compareStrings(left, right);
    case "k":
      return compareKeys(keyFieldsOf(left), keyFieldsOf(right));
    case "v":
      return compareScalars(JSON.parse(left.slice(2)), JSON.parse(right.slice(2)));
    default:
      return Number(left.slice(2)) - Number(right.slice(2));
  }
}

function compareKeys(left: [string, unknown][], right: [string, unknown][]): number {
  for (const [i, [name, value]] of left.entries()) {
    const other = right[i];
    if (other === undefined) return 1;
    const order = compareStrings(name, other[0]) || compareScalars(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function rankOf(value: unknown): number {
  if (isNumber(value)) return 0;
  if (typeof value === "string") return 1;
  if (typeof value === "boolean") return 2;
  if (Array.isArray(value)) return 3;
  return isObject(value) ? 4 : 5;
}

function compareScalars(left: unknown, right: unknown): number {
  if (isNumber(left) && isNumber(right)) return left < right ? -1 : left > right ? 1 : 0;
  if (typeof left === "string" && typeof right === "string") return compareStrings(left, right);
  if (typeof left === "boolean" && typeof right === "boolean") return Number(left) - Number(right);
  return rankOf(left) - rankOf(right);
}
