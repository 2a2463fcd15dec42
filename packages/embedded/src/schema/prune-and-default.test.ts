import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyDefaults, fillDefaults, zeroObject } from "./defaults.ts";
import { prune } from "./prune.ts";
import { openApiReader } from "./read-openapi.ts";
import { readStructural } from "./read-structural.ts";

const { structural, object } = readStructural(
  {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: {
          n: { type: "integer", default: 3 },
          nested: { type: "object", default: {}, properties: { deep: { type: "string", default: "x" } } },
          list: { type: "array", items: { type: "object", properties: { k: { type: "string", default: "y" } } } },
          map: { type: "object", additionalProperties: { type: "object", properties: { k: { type: "string" } } } },
          free: {
            type: "object",
            "x-kubernetes-preserve-unknown-fields": true,
            properties: { known: { type: "object", properties: { k: { type: "string" } } } },
          },
          maybe: { type: "string", nullable: true },
          never: { type: "string" },
          pod: { type: "object", "x-kubernetes-embedded-resource": true, properties: { spec: { type: "object" } } },
        },
      },
    },
  },
  { type: "object", properties: new Map([["name", { type: "string" }]]) },
);

describe("pruning", () => {
  test("removes what the schema does not know and says what it was", () => {
    const value = {
      apiVersion: "v1",
      metadata: { name: "x", nome: "y" },
      spec: {
        m: 1,
        list: [{ k: "a", l: 1 }],
        map: { any: { k: "a", z: 1 } },
        free: { any: { thing: 1 }, known: { k: "a", l: 1 } },
        pod: { apiVersion: "v1", kind: "Pod", metadata: { name: "p", q: 1 }, spec: {} },
      },
    };
    expect(prune(object, value)).toEqual({
      value: {
        apiVersion: "v1",
        metadata: { name: "x" },
        spec: {
          list: [{ k: "a" }],
          map: { any: { k: "a" } },
          free: { any: { thing: 1 }, known: { k: "a" } },
          pod: { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec: {} },
        },
      },
      unknownFields: [
        "metadata.nome",
        "spec.free.known.l",
        "spec.list[0].l",
        "spec.m",
        "spec.map.any.z",
        "spec.pod.metadata.q",
      ],
    });
  });

  test("shares what it leaves alone", () => {
    const value = { spec: { n: 1 } };
    expect(prune(object, value).value).toBe(value);
  });

  test("is done once it is done", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("spec", "metadata", "x"), fc.jsonValue({ maxDepth: 5 })), (value) => {
        const once = prune(object, value);
        expect(prune(object, once.value)).toEqual({ value: once.value, unknownFields: [] });
      }),
    );
  });

  test("removes __proto__ where nothing of that name is declared", () => {
    const value = JSON.parse('{"spec": {"__proto__": {"n": 1}, "n": 2}}');
    expect(JSON.stringify(prune(object, value).value)).toBe('{"spec":{"n":2}}');
  });
});

describe("defaults", () => {
  test("fill what is missing, below defaults too", () => {
    expect(applyDefaults(structural, { spec: { list: [{}] } })).toEqual({
      spec: { n: 3, nested: { deep: "x" }, list: [{ k: "y" }] },
    });
  });

  test("replace nulls that are not allowed, or remove them", () => {
    expect(applyDefaults(structural, { spec: { n: null, nested: null, maybe: null, never: null } })).toEqual({
      spec: { n: 3, nested: { deep: "x" }, maybe: null },
    });
  });

  test("leave nulls without a default alone in the outcome of an apply", () => {
    expect(fillDefaults(structural, { spec: { n: null, nested: {}, never: null } })).toEqual({
      spec: { n: 3, nested: { deep: "x" }, never: null },
    });
  });

  test("are filled in once", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("spec", "x"), fc.jsonValue({ maxDepth: 5 })), (value) => {
        const once = applyDefaults(structural, value);
        expect(applyDefaults(structural, once)).toBe(once);
      }),
    );
  });

  test("are not shared between objects", () => {
    const first = applyDefaults(structural, { spec: {} }) as { spec: { nested: { deep: string } } };
    first.spec.nested.deep = "changed";
    expect(applyDefaults(structural, { spec: {} })).toMatchObject({ spec: { nested: { deep: "x" } } });
  });
});

test("the zero of a built-in kind has its structs but none of their fields", () => {
  const read = openApiReader({
    Kind: {
      type: "object",
      properties: {
        apiVersion: { type: "string" },
        kind: { type: "string" },
        metadata: { allOf: [{ $ref: "#/components/schemas/Meta" }], default: {} },
        spec: { allOf: [{ $ref: "#/components/schemas/Spec" }], default: {} },
        next: { $ref: "#/components/schemas/Kind" },
      },
    },
    Meta: { type: "object" },
    Spec: { type: "object", properties: { name: { type: "string", default: "" }, n: { type: "integer" } } },
  });
  const schema = read("Kind");
  expect(schema && zeroObject(schema, "v1", "Kind")).toEqual({
    apiVersion: "v1",
    kind: "Kind",
    metadata: {},
    spec: { name: "" },
  });
  expect(schema?.properties?.get("next")).toBe(schema);
});
