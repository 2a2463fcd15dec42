import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withoutManagedFields } from "./without-managed-fields.ts";

const fields = [{ manager: "a", fieldsV1: { 'k:{"name":"x\\"}': { ".": {}, "f:[]": {} } } }];

function event(metadata: object, rest: object = {}): string {
  return JSON.stringify({ type: "MODIFIED", object: { kind: "Boat", apiVersion: "v1", metadata, ...rest } });
}

describe("an event without managedFields", () => {
  test.each([
    { where: "first", metadata: { managedFields: fields, name: "tern" } },
    { where: "in the middle", metadata: { labels: { a: 'b"}]' }, managedFields: fields, name: "tern" } },
    { where: "last", metadata: { name: "tern", managedFields: fields } },
    { where: "alone", metadata: { managedFields: fields } },
  ])("that stood $where", ({ metadata }) => {
    const { managedFields: _, ...kept } = metadata;
    expect(withoutManagedFields(event(metadata, { spec: { sails: 2 } }))).toBe(event(kept, { spec: { sails: 2 } }));
  });

  test.each([
    { what: "there are none", line: event({ name: "tern" }) },
    { what: "metadata is empty", line: event({}) },
    {
      what: "they are another object's",
      line: event({ name: "tern" }, { spec: { metadata: { managedFields: fields } } }),
    },
    { what: "they are a label", line: event({ labels: { managedFields: "x" } }) },
    { what: "something unknown comes first", line: `{"object":{"metadata":{"managedFields":[]}},"type":"ADDED"}` },
    { what: "it is no JSON", line: `{"type":"ADDED","object":{"metadata":{"name":"te` },
  ])("is as it was if $what", ({ line }) => {
    expect(withoutManagedFields(line)).toBe(line);
  });

  test("means the same but for them, whatever is in it", () => {
    const metadata = fc.dictionary(fc.string(), fc.jsonValue()).map((map) => Object.entries(map));
    fc.assert(
      fc.property(metadata, fc.jsonValue(), fc.jsonValue(), fc.nat(), (entries, managed, spec, at) => {
        const given = entries.filter(([name]) => name !== "managedFields" && name !== "__proto__");
        const all = given.toSpliced(at % (given.length + 1), 0, ["managedFields", managed]);
        const cut = withoutManagedFields(event(Object.fromEntries(all), { spec }));
        expect(cut).toBe(event(Object.fromEntries(given), { spec }));
      }),
    );
  });
});
