import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { below, covers, type FieldTree, minus, shared, union } from "./managed-fields.ts";

const web = 'k:{"name":"web"}';

describe("union", () => {
  test("holds what is in either, containers included", () => {
    const a = { "f:metadata": { "f:labels": { ".": {}, "f:a": {} } } };
    const b = { "f:metadata": { "f:labels": { "f:b": {} } }, "f:data": {} };
    expect(union(a, b)).toEqual({ "f:metadata": { "f:labels": { ".": {}, "f:a": {}, "f:b": {} } }, "f:data": {} });
  });

  test("keeps a node that one side holds as a whole and the other only in part", () => {
    expect(union({ "f:spec": {} }, { "f:spec": { "f:a": {} } })).toEqual({ "f:spec": { ".": {}, "f:a": {} } });
  });
});

describe("minus", () => {
  test.each([
    { what: "a leaf", a: { "f:a": {}, "f:b": {} }, b: { "f:a": {} }, left: { "f:b": {} } },
    {
      what: "a container that holds nothing more",
      a: { "f:labels": { ".": {}, "f:a": {} } },
      b: { "f:labels": { "f:a": {} } },
      left: {},
    },
    {
      what: "only what the other has",
      a: { "f:labels": { ".": {}, "f:a": {}, "f:b": {} } },
      b: { "f:labels": { ".": {}, "f:a": {} } },
      left: { "f:labels": { "f:b": {} } },
    },
    {
      what: "nothing of a node of which the other has parts",
      a: { "f:a": {} },
      b: { "f:a": { "f:x": {} } },
      left: { "f:a": {} },
    },
  ])("takes away $what", ({ a, b, left }) => {
    expect(minus(a, b)).toEqual(left);
  });
});

describe("shared", () => {
  test("is what both hold", () => {
    expect(shared({ "f:a": {}, "f:b": {} }, { "f:b": {}, "f:c": {} })).toEqual({ "f:b": {} });
    expect(shared({ "f:a": {} }, { "f:a": { "f:x": {} } })).toEqual({});
  });

  test("takes a list item whole: half of one could never be removed", () => {
    const theirs = { "f:containers": { [web]: { ".": {}, "f:image": {}, "f:terminationMessagePath": {} } } };
    const ours = { "f:containers": { [web]: { ".": {}, "f:name": {}, "f:image": {} } } };
    expect(shared(theirs, ours)).toEqual(theirs);
  });
});

describe("below", () => {
  const tree = { "f:spec": { "f:replicas": {}, "f:template": { "f:spec": { "f:dnsPolicy": {} } }, "f:paused": {} } };

  test("is the part that fields name, with all that the server added in there", () => {
    const initial = { spec: { replicas: 2, template: { spec: { containers: [] } } } };
    expect(below(tree, initial, {})).toEqual(tree);
    expect(below(tree, initial, { spec: { paused: true } })).toEqual({
      "f:spec": { "f:replicas": {}, "f:template": { "f:spec": { "f:dnsPolicy": {} } } },
    });
  });

  test("is nothing where nothing is named", () => {
    expect(below(tree, {}, {})).toEqual({});
  });
});

describe("covers", () => {
  const tree: FieldTree = {
    "f:spec": {
      "f:selector": {},
      "f:args": {},
      "f:finalizers": { ".": {}, 'v:"x"': {} },
      "f:ports": { 'k:{"containerPort":80,"protocol":"TCP"}': { ".": {}, "f:containerPort": {} } },
      "f:empty": { ".": {} },
    },
  };

  test.each([
    { what: "all below an atomic field", value: { spec: { selector: { matchLabels: { a: "b" } } } }, is: true },
    {
      what: "an item by its key, the server's default left out",
      value: { spec: { ports: [{ containerPort: 80 }] } },
      is: true,
    },
    { what: "not another item", value: { spec: { ports: [{ containerPort: 81 }] } }, is: false },
    {
      what: "not a field of the item that is not held",
      value: { spec: { ports: [{ containerPort: 80, name: "a" }] } },
      is: false,
    },
    { what: "a value of a set", value: { spec: { finalizers: ["x"] } }, is: true },
    { what: "not another value of a set", value: { spec: { finalizers: ["y"] } }, is: false },
    { what: "an empty map that is held itself", value: { spec: { empty: {} } }, is: true },
    { what: "not an unknown field", value: { spec: { other: 1 } }, is: false },
    { what: "what sets nothing", value: { spec: { args: [], other: undefined, more: null } }, is: true },
  ])("$what", ({ value, is }) => {
    expect(covers(tree, value)).toBe(is);
  });
});

test("what was taken away is in nobody's set twice, and nothing is lost", () => {
  const part = fc.constantFrom("f:a", "f:b", "f:c", web);
  const tree = fc.letrec<{ tree: FieldTree }>((tie) => ({
    tree: fc.dictionary(part, fc.oneof({ maxDepth: 3 }, fc.constant({}), tie("tree")), { maxKeys: 3 }),
  })).tree;
  fc.assert(
    fc.property(tree, tree, (theirs, ours) => {
      const taken = shared(theirs, ours);
      const left = minus(theirs, taken);
      expect(shared(left, taken)).toEqual({});
      expect(leaves(union(left, taken))).toEqual(leaves(theirs));
    }),
  );
});

function leaves(tree: FieldTree, path = ""): ReadonlySet<string> {
  const found = Object.entries(tree).flatMap(([part, subtree]) =>
    Object.keys(subtree).length === 0 ? [`${path}/${part}`] : [...leaves(subtree, `${path}/${part}`)],
  );
  return new Set(found.toSorted((a, b) => (a < b ? -1 : 1)));
}
