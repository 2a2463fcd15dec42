import * as fc from "fast-check";
import { expect, test } from "vitest";
import { equalJson, type JsonObject } from "../schema/json.ts";
import { readStructural } from "../schema/read-structural.ts";
import { decodeFields, encodeFields } from "./fields-v1.ts";
import { fieldSetOf } from "./field-set-of.ts";
import { mergeTypeOf } from "./merge-type.ts";
import { applyServerSide } from "./server-side-apply.ts";

const { object: schema } = readStructural(
  {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: {
          a: { type: "integer" },
          b: { type: "integer" },
          map: { type: "object", additionalProperties: { type: "integer" } },
          set: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
          items: {
            type: "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["k"],
            items: { type: "object", properties: { k: { type: "string" }, v: { type: "integer" } } },
          },
          free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      },
    },
  },
  { type: "object", preservesUnknown: true },
);

const name = fc.constantFrom("x", "y", "z", "w");
const small = fc.nat(3);
// Nobody owns an empty list, so what these tests say holds for filled ones.
const spec = fc.record(
  {
    a: small,
    b: small,
    map: fc.dictionary(name, small, { minKeys: 1, maxKeys: 3 }),
    set: fc.uniqueArray(name, { minLength: 1 }),
    items: fc.uniqueArray(fc.record({ k: name, v: small }), { minLength: 1, selector: ({ k }) => k }),
    free: fc.dictionary(name, fc.oneof(small, name), { minKeys: 1, maxKeys: 3 }),
  },
  { requiredKeys: ["a"] },
);

function configuration(spec: object): JsonObject {
  return { apiVersion: "x.dev/v1", kind: "X", metadata: { name: "x" }, spec: { ...spec } };
}

function apply(live: JsonObject, manager: string, spec: object): JsonObject {
  const result = applyServerSide({
    live,
    applied: configuration(spec),
    manager,
    schema,
    apiVersion: "x.dev/v1",
    nowIso: "2026-01-31T12:00:00Z",
    force: true,
  });
  if (result.kind !== "applied") throw new Error(result.message);
  const { object } = result;
  return { ...object, metadata: { ...(object["metadata"] as JsonObject), uid: "1" } };
}

const nothing: JsonObject = { apiVersion: "x.dev/v1", kind: "X" };

test("applying twice is applying once", () => {
  fc.assert(
    fc.property(spec, spec, spec, (first, other, again) => {
      const live = apply(apply(apply(nothing, "a", first), "b", other), "a", again);
      expect(apply(live, "a", again)).toEqual(live);
    }),
  );
});

test("managers of disjoint fields may come in any order", () => {
  const left = fc.record(
    { a: small, map: fc.dictionary(fc.constantFrom("x", "y"), small, { minKeys: 1 }) },
    { requiredKeys: ["a"] },
  );
  const right = fc.record(
    { b: small, map: fc.dictionary(fc.constantFrom("z", "w"), small, { minKeys: 1 }) },
    { requiredKeys: ["b"] },
  );
  fc.assert(
    fc.property(left, right, (left, right) => {
      const one = apply(apply(nothing, "a", left), "b", right);
      const two = apply(apply(nothing, "b", right), "a", left);
      expect(equalJson(one, two)).toBe(true);
    }),
  );
});

test("what a manager applied is there, and what it alone had applied before is not", () => {
  fc.assert(
    fc.property(spec, spec, (before, after) => {
      const live = apply(apply(nothing, "a", before), "a", after);
      expect(
        fieldSetOf(mergeTypeOf(schema), configuration(after)).isSubsetOf(fieldSetOf(mergeTypeOf(schema), live)),
      ).toBe(true);
      const lost = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
      for (const key of lost) expect((live["spec"] as JsonObject | null)?.[key] ?? null).toBeNull();
    }),
  );
});

test("neither live nor what was applied is changed", () => {
  fc.assert(
    fc.property(spec, spec, (before, after) => {
      const live = apply(nothing, "a", before);
      const texts = [JSON.stringify(live), JSON.stringify(after)];
      apply(live, "a", after);
      expect([JSON.stringify(live), JSON.stringify(after)]).toEqual(texts);
    }),
  );
});

test("FieldsV1 survives a round trip, in the same order", () => {
  fc.assert(
    fc.property(spec, (spec) => {
      const fields = encodeFields(fieldSetOf(mergeTypeOf(schema), configuration(spec)));
      const text = JSON.stringify(fields);
      expect(JSON.stringify(encodeFields(decodeFields(JSON.parse(text))))).toBe(text);
    }),
  );
});
