import { type Environment, Optional } from "@marcbachmann/cel-js";
import { equalValues, keyOf } from "../equality.ts";
import { Namespace } from "./namespace.ts";

type List = readonly unknown[];

class Sets extends Namespace {}

export function registerLists(environment: Environment): void {
  registerOrdered(environment);
  environment
    .registerFunction("list<dyn>.indexOf(dyn): int", (list: List, value: unknown) =>
      BigInt(list.findIndex((item) => equalValues(item, value))),
    )
    .registerFunction("list<dyn>.lastIndexOf(dyn): int", (list: List, value: unknown) =>
      BigInt(list.findLastIndex((item) => equalValues(item, value))),
    )
    .registerFunction("list<A>.reverse(): list<A>", (list: List) => list.toReversed())
    .registerFunction("list<A>.distinct(): list<A>", distinct)
    .registerFunction("list<A>.slice(int, int): list<A>", slice)
    .registerFunction("list<list<A>>.flatten(): list<A>", (list: List) => list.flat())
    .registerFunction("list<A>.first(): optional<A>", (list: List) => Optional.of(list[0]))
    .registerFunction("list<A>.last(): optional<A>", (list: List) => Optional.of(list.at(-1)))
    .registerType("SetsLibrary", Sets)
    .registerConstant("sets", "SetsLibrary", new Sets())
    .registerFunction("SetsLibrary.contains(list, list): bool", (_: Sets, list: List, part: List) =>
      containsAll(list, part),
    )
    .registerFunction(
      "SetsLibrary.equivalent(list, list): bool",
      (_: Sets, left: List, right: List) => containsAll(left, right) && containsAll(right, left),
    )
    .registerFunction("SetsLibrary.intersects(list, list): bool", (_: Sets, left: List, right: List) =>
      intersects(left, right),
    );
}

function registerOrdered(environment: Environment): void {
  environment
    .registerFunction("list<A>.isSorted(): bool", isSorted)
    .registerFunction("list<A>.sort(): list<A>", (list: List) =>
      list.toSorted((left, right) => Number(isLess(right, left)) - Number(isLess(left, right))),
    )
    .registerFunction("list<A>.min(): A", (list: List) => extreme("min", list))
    .registerFunction("list<A>.max(): A", (list: List) => extreme("max", list))
    .registerFunction("list<A>.sum(): A", (list: List) => list.reduce(plus, typeof list[0] === "number" ? 0 : 0n));
}

function isLess(left: unknown, right: unknown): boolean {
  return (left as number) < (right as number);
}

function plus(left: unknown, right: unknown): unknown {
  return (left as number) + (right as number);
}

function isSorted(list: List): boolean {
  return list.every((item, i) => i === 0 || !isLess(item, list[i - 1]));
}

function extreme(name: "min" | "max", list: List): unknown {
  if (list.length === 0) throw new Error(`${name} called on empty list`);
  return list.reduce((best, item) => ((name === "min" ? isLess(item, best) : isLess(best, item)) ? item : best));
}

function distinct(list: List): List {
  return [...new Map(list.toReversed().map((item) => [keyOf(item), item])).values()].toReversed();
}

function slice(list: List, start: bigint, end: bigint): List {
  if (start < 0n || end < start || end > BigInt(list.length)) throw new Error(`cannot slice(${start}, ${end}) list`);
  return list.slice(Number(start), Number(end));
}

function containsAll(list: List, part: List): boolean {
  const keys = new Set(list.map(keyOf));
  return part.every((item) => keys.has(keyOf(item)));
}

function intersects(left: List, right: List): boolean {
  const keys = new Set(left.map(keyOf));
  return right.some((item) => keys.has(keyOf(item)));
}
