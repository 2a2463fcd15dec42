import { describe, expect, test } from "vitest";
import { openApiReader } from "../schema/read-openapi.ts";
import { strategicMergePatch } from "./strategic-merge-patch.ts";

const string = { type: "string" };
const schema = openApiReader({
  Pod: {
    type: "object",
    properties: {
      containers: {
        type: "array",
        "x-kubernetes-patch-strategy": "merge",
        "x-kubernetes-patch-merge-key": "name",
        items: { $ref: "#/components/schemas/Container" },
      },
      finalizers: { type: "array", items: string, "x-kubernetes-patch-strategy": "merge" },
      args: { type: "array", items: string },
      strategy: {
        allOf: [{ $ref: "#/components/schemas/Strategy" }],
        "x-kubernetes-patch-strategy": "retainKeys",
      },
      labels: { type: "object", additionalProperties: string },
    },
  },
  Container: { type: "object", properties: { name: string, image: string } },
  Strategy: { type: "object", properties: { type: string, rollingUpdate: { type: "object" } } },
})("Pod");

function patched(live: object, patch: object): unknown {
  return strategicMergePatch({ ...live }, { ...patch }, schema ?? {});
}

const containers = [
  { name: "a", image: "1" },
  { name: "b", image: "1" },
];

describe("lists", () => {
  test("of maps are merged by their key", () => {
    expect(patched({ containers }, { containers: [{ name: "b", image: "2" }, { name: "c" }] })).toEqual({
      containers: [{ name: "a", image: "1" }, { name: "b", image: "2" }, { name: "c" }],
    });
  });

  test("lose an item by $patch: delete, and everything by $patch: replace", () => {
    expect(patched({ containers }, { containers: [{ name: "a", $patch: "delete" }] })).toEqual({
      containers: [{ name: "b", image: "1" }],
    });
    expect(patched({ containers }, { containers: [{ name: "z" }, { $patch: "replace" }] })).toEqual({
      containers: [{ name: "z" }],
    });
  });

  test("are ordered by $setElementOrder", () => {
    const patch = {
      "$setElementOrder/containers": [{ name: "b" }, { name: "a" }],
      containers: [{ name: "b", image: "2" }],
    };
    expect(patched({ containers }, patch)).toEqual({
      containers: [
        { name: "b", image: "2" },
        { name: "a", image: "1" },
      ],
    });
  });

  test("of scalars are joined, and reduced by $deleteFromPrimitiveList", () => {
    expect(patched({ finalizers: ["x", "y"] }, { finalizers: ["z", "x"] })).toEqual({ finalizers: ["z", "x", "y"] });
    expect(patched({ finalizers: ["x", "y"] }, { "$deleteFromPrimitiveList/finalizers": ["x"] })).toEqual({
      finalizers: ["y"],
    });
  });

  test("without a merge strategy are replaced", () => {
    expect(patched({ args: ["a"] }, { args: ["b"] })).toEqual({ args: ["b"] });
  });
});

describe("maps", () => {
  test("keep only what $retainKeys names", () => {
    const live = { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } };
    expect(patched(live, { strategy: { $retainKeys: ["type"], type: "Recreate" } })).toEqual({
      strategy: { type: "Recreate" },
    });
    expect(() => patched(live, { strategy: { $retainKeys: ["x"], type: "Recreate" } })).toThrow(
      "invalid patch format of retainKeys",
    );
  });

  test("lose keys by null, and everything by $patch", () => {
    expect(patched({ labels: { a: "1", b: "2" } }, { labels: { a: null } })).toEqual({ labels: { b: "2" } });
    expect(patched({ labels: { a: "1" } }, { labels: { $patch: "replace", c: "3" } })).toEqual({ labels: { c: "3" } });
    expect(patched({ labels: { a: "1" } }, { labels: { $patch: "delete" } })).toEqual({ labels: {} });
  });
});

test("an item without its key is refused", () => {
  expect(() => patched({ containers }, { containers: [{ image: "2" }] })).toThrow(
    "map: map[image:2] does not contain declared merge key: name",
  );
});
