import { expect, test } from "vitest";
import { readSchema } from "../schema/read-structural.ts";
import { mergeTypeOf } from "./merge-type.ts";
import { ShapeMemo } from "./shape.ts";

const schema = readSchema({
  type: "object",
  properties: {
    name: { type: "string" },
    replicas: { type: "integer" },
    labels: { type: "object", additionalProperties: { type: "string" } },
    args: { type: "array", items: { type: "string" } },
    tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
    ports: {
      type: "array",
      items: { type: "object", properties: { port: { type: "integer" }, title: { type: "string" } } },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port"],
    },
  },
});

interface Row {
  readonly what: string;
  readonly value: object;
  readonly other: object;
  readonly live?: object;
  readonly isSame: boolean;
}

test.for<Row>([
  { what: "another text", value: { name: "a" }, other: { name: "b" }, isSame: true },
  { what: "a number for a text", value: { name: "a" }, other: { name: 1 }, isSame: false },
  { what: "null for a text", value: { name: "a" }, other: { name: null }, isSame: false },
  { what: "a text for null", value: { name: null }, other: { name: "a" }, isSame: false },
  { what: "one field more", value: { name: "a" }, other: { name: "a", replicas: 1 }, isSame: false },
  { what: "one field less", value: { name: "a", replicas: 1 }, other: { name: "a" }, isSame: false },
  { what: "another value of a label", value: { labels: { app: "a" } }, other: { labels: { app: "b" } }, isSame: true },
  { what: "another label", value: { labels: { app: "a" } }, other: { labels: { web: "a" } }, isSame: false },
  { what: "no labels left", value: { labels: { app: "a" } }, other: { labels: {} }, isSame: false },
  { what: "another item of a list that is one value", value: { args: ["a"] }, other: { args: ["b"] }, isSame: true },
  { what: "one more of them", value: { args: ["a"] }, other: { args: ["a", "b"] }, isSame: false },
  { what: "another item of a set", value: { tags: ["a"] }, other: { tags: ["b"] }, isSame: false },
  {
    what: "an item by another key",
    value: { ports: [{ port: 80, title: "a" }] },
    other: { ports: [{ port: 81, title: "a" }] },
    isSame: false,
  },
  {
    what: "the same item with another title",
    value: { ports: [{ port: 80, title: "a" }] },
    other: { ports: [{ port: 80, title: "b" }] },
    isSame: true,
  },
  { what: "what live has too", live: { name: "a" }, value: { name: "a" }, other: { name: "b" }, isSame: false },
  { what: "what live has as null", live: { name: null }, value: { name: "a" }, other: { name: "b" }, isSame: true },
  { what: "__proto__", value: JSON.parse('{"__proto__": {}}') as object, other: {}, isSame: false },
])("is it one shape: $what", ({ value, other, live, isSame }) => {
  const memo = new ShapeMemo<string>();
  memo.remember({ type: mergeTypeOf(schema), value, live }, "known");
  expect(memo.find(value)).toBe("known");
  expect(memo.find(other)).toBe(isSame ? "known" : undefined);
});

test("the shapes that were seen last are remembered", () => {
  const memo = new ShapeMemo<string>();
  const objects = ["a", "b", "c", "d", "e"].map((name) => ({ [name]: 1 }));
  for (const value of objects) memo.remember({ type: {}, value }, Object.keys(value).join());
  expect(objects.map((value) => memo.find(value))).toEqual([undefined, "b", "c", "d", "e"]);
});
