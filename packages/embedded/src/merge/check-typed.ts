import { isNumber, isObject } from "../schema/json.ts";
import { goSyntax, goType, goValue } from "../schema/go-format.ts";
import { ItemError, itemElement } from "./list-items.ts";
import { formOf, type ListType, type MapType, type MergeType, type Scalar } from "./merge-type.ts";
import { describeElement, describePath, fieldElement, type PathElement } from "./path-element.ts";

/** Does the value fit the type? The server's text if not. */
export function checkTyped(
  type: MergeType,
  value: unknown,
  options?: { allowsDuplicates: boolean },
): string | undefined {
  const check = new Check(options?.allowsDuplicates === true);
  check.visit(type, value);
  const [first, ...others] = check.problems;
  if (first === undefined || others.length === 0) return first;
  return ["errors:", ...check.problems.map((problem) => `  ${problem}`)].join("\n");
}

class Check {
  readonly problems: string[] = [];
  readonly #allowsDuplicates: boolean;
  readonly #path: PathElement[] = [];

  constructor(allowsDuplicates: boolean) {
    this.#allowsDuplicates = allowsDuplicates;
  }

  visit(type: MergeType, value: unknown): void {
    if (value === null) return;
    const form = formOf(type, value);
    if (form === "map" && type.map !== undefined) this.#visitMap(type.map, value);
    else if (form === "list" && type.list !== undefined) this.#visitList(type.list, value);
    else if (type.scalar !== undefined) this.#visitScalar(type.scalar, value);
  }

  #report(message: string): void {
    const path = describePath(this.#path);
    this.problems.push(path === "" ? message : `${path}: ${message}`);
  }

  #visitScalar(scalar: Scalar, value: unknown): void {
    if (scalar === "numeric" && !isNumber(value)) {
      this.#report(`expected numeric (int or float), got ${goType(value)}`);
    } else if (scalar === "string" && typeof value !== "string") {
      this.#report(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
    } else if (scalar === "boolean" && typeof value !== "boolean") {
      this.#report(`expected boolean, got &{${goValue(value)}}`);
    } else if (scalar === "untyped" && typeof value === "object") {
      this.#report(`expected any scalar, got &{${goValue(value)}}`);
    }
  }

  #visitMap(map: MapType, value: unknown): void {
    if (!isObject(value)) return this.#report(`expected map, got &{${goValue(value)}}`);
    for (const key of Object.keys(value)) {
      const type = map.typeOf(key);
      this.#path.push(fieldElement(key));
      if (type === undefined) this.#report("field not declared in schema");
      else this.visit(type, value[key]);
      this.#path.pop();
      if (type === undefined) return;
    }
  }

  #visitList(list: ListType, value: unknown): void {
    if (!Array.isArray(value)) return this.#report(`expected list, got &{${goValue(value)}}`);
    const seen = new Set<PathElement>();
    for (const [i, item] of value.entries()) {
      const element = this.#elementOf(list, i, item);
      if (element === undefined) return;
      if (seen.has(element) && !this.#allowsDuplicates) {
        this.#report(`duplicate entries for key ${describeElement(element)}`);
      }
      seen.add(element);
      this.#path.push(element);
      this.visit(list.element(), item);
      this.#path.pop();
    }
  }

  #elementOf(list: ListType, index: number, item: unknown): PathElement | undefined {
    if (!list.isAssociative) return `i:${index}`;
    try {
      return itemElement(list, item);
    } catch (error) {
      if (!(error instanceof ItemError)) throw error;
      this.#report(`element ${index}: ${error.message}`);
      return undefined;
    }
  }
}
