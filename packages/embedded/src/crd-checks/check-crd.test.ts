import { describe, expect, test } from "vitest";
import { checkCrd } from "./check-crd.ts";
import type { JsonObject } from "../schema/json.ts";

function crd(spec: JsonObject = {}, schema: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    metadata: { name: "shops.shop.dev", ...metadata },
    spec: {
      group: "shop.dev",
      scope: "Namespaced",
      names: { plural: "shops", singular: "shop", kind: "Shop", listKind: "ShopList" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: "object", properties: { spec: { type: "object", ...schema } } },
          },
        },
      ],
      ...spec,
    },
  };
}

const root = "spec.validation.openAPIV3Schema";
const spec = `${root}.properties[spec]`;

function problems(definition: JsonObject, previous?: JsonObject): string[] {
  return checkCrd(definition, previous).map(({ field, message }) => `${field}: ${message}`);
}

test("a sound definition has no problems", () => {
  expect(
    problems(
      crd(
        {},
        {
          required: ["n"],
          properties: {
            n: { type: "integer", default: 1 },
            size: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
          },
          "x-kubernetes-validations": [{ rule: "self.n > 0" }],
        },
      ),
    ),
  ).toEqual([]);
});

describe("schemas have to be structural", () => {
  test.each([
    {
      schema: { properties: { a: {} } },
      problem: `${spec}.properties[a].type: Required value: must not be empty for specified object fields`,
    },
    {
      schema: { properties: { a: { type: "array" } } },
      problem: `${spec}.properties[a].items: Required value: must be specified`,
    },
    { schema: { not: { type: "object" } }, problem: `${spec}.not.type: Forbidden: must be empty to be structural` },
    {
      schema: { properties: { a: { type: "string", pattern: "(" } } },
      problem: `${spec}.properties[a].pattern: Invalid value: "(": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): \`(\``,
    },
    {
      schema: { properties: { a: { type: "integer", default: "x" } } },
      problem: `${spec}.properties[a].default: Invalid value: "string":  in body must be of type integer: "string"`,
    },
    {
      schema: { properties: { a: { type: "array", items: { type: "string" }, uniqueItems: true } } },
      problem: `${spec}.properties[a].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
    },
    {
      schema: { properties: { a: { type: "string", "x-kubernetes-list-type": "set" } } },
      problem: `${spec}.properties[a].type: Invalid value: "string": must be array if x-kubernetes-list-type is specified`,
    },
    {
      schema: { "x-kubernetes-validations": [{ rule: " " }] },
      problem: `${spec}.x-kubernetes-validations[0].rule: Required value: rule is not specified`,
    },
  ])("$problem", ({ schema, problem }) => {
    expect(problems(crd({}, schema))).toEqual([problem]);
  });

  test("and their rules have to compile", () => {
    const rules = [{ rule: "self.unknown == 1" }, { rule: "1 + 1" }, { rule: "self == oldSelf" }];
    const found = checkCrd(crd({}, { "x-kubernetes-validations": rules }));
    expect(found.map(({ field, reason }) => `${field} ${reason}`)).toEqual([
      `${spec}.x-kubernetes-validations[0].rule FieldValueInvalid`,
      `${spec}.x-kubernetes-validations[1].rule FieldValueInvalid`,
    ]);
  });
});

describe("names and versions", () => {
  test.each([
    {
      definition: crd({}, {}, { name: "x.y" }),
      problem: 'metadata.name: Invalid value: "x.y": must be spec.names.plural+"."+spec.group',
    },
    {
      definition: crd({ scope: "Galaxy" }),
      problem: 'spec.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespaced"',
    },
    {
      definition: crd({ preserveUnknownFields: true }),
      problem:
        "spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
    },
    {
      definition: crd({ conversion: { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"] } } }),
      problem: "spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook",
    },
  ])("$problem", ({ definition, problem }) => {
    expect(problems(definition)).toEqual([problem]);
  });

  test("an update keeps scope, kind, group and plural", () => {
    expect(problems(crd({ scope: "Cluster" }), crd())).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
    ]);
  });

  test("one version is stored", () => {
    const { versions } = crd()["spec"] as { versions: JsonObject[] };
    const found = checkCrd(crd({ versions: [{ ...versions[0], storage: false }] }));
    expect(found.map(({ field }) => field)).toEqual(["spec.versions"]);
  });
});
