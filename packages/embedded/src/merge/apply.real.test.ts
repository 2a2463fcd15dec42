import { ApiError, type ClusterAccess, sharedControlPlane, until } from "@chaski/test/kube";
import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { objectMetaSchema } from "../builtin/resources.ts";
import { applyDefaults, fillDefaults } from "../schema/defaults.ts";
import { equalJson, type JsonObject } from "../schema/json.ts";
import { readStructural } from "../schema/read-structural.ts";
import { validate } from "../schema/validate.ts";
import { jsonMergePatch } from "./json-merge-patch.ts";
import { applyServerSide } from "./server-side-apply.ts";
import { keepTimesIfUnchanged, trackUpdate } from "./track-update.ts";

// The same random writes on a real API server and on our functions: objects, managedFields and conflicts agree.

const openApiV3Schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        a: { type: "integer" },
        b: { type: "string" },
        labels: { type: "object", additionalProperties: { type: "string" } },
        atomic: { type: "object", "x-kubernetes-map-type": "atomic", additionalProperties: { type: "string" } },
        set: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
        list: { type: "array", items: { type: "string" } },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["port", "protocol"],
          items: {
            type: "object",
            required: ["port"],
            properties: {
              port: { type: "integer" },
              protocol: { type: "string", default: "TCP" },
              name: { type: "string" },
            },
          },
        },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
    },
    status: { type: "object", properties: { phase: { type: "string" } } },
  },
};

const name = fc.constantFrom("x", "y", "z");
const texts = fc.dictionary(name, name, { maxKeys: 3 });
const spec = fc.record(
  {
    a: fc.nat(2),
    b: name,
    labels: texts,
    atomic: texts,
    set: fc.uniqueArray(name),
    list: fc.array(name, { maxLength: 2 }),
    ports: fc.uniqueArray(
      fc.record(
        { port: fc.constantFrom(80, 81), protocol: fc.constantFrom("TCP", "UDP"), name },
        { requiredKeys: ["port"] },
      ),
      { selector: ({ port, protocol }) => `${port} ${protocol ?? "TCP"}` },
    ),
    free: fc.dictionary(name, fc.oneof(fc.nat(2), texts, fc.array(name, { maxLength: 2 })), { maxKeys: 2 }),
  },
  { requiredKeys: [] },
);
const write = fc.record({
  verb: fc.constantFrom("apply", "apply", "apply", "merge"),
  manager: fc.constantFrom("one", "two", "three"),
  force: fc.boolean(),
  spec,
});
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

const { structural, object: schema } = readStructural(openApiV3Schema, objectMetaSchema());
const group = "merge.chaski.dev";
const apiVersion = `${group}/v1`;
let plane: ClusterAccess;
let collection: string;

beforeAll(async () => {
  plane = await sharedControlPlane();
  await plane.call({
    method: "POST",
    path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    body: {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `things.${group}` },
      spec: {
        group,
        scope: "Namespaced",
        names: { plural: "things", kind: "Thing" },
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            subresources: { status: {} },
            schema: { openAPIV3Schema: openApiV3Schema },
          },
        ],
      },
    },
  });
  const namespace = await plane.createNamespace();
  collection = `/apis/${apiVersion}/namespaces/${namespace}/things`;
  const isServed = () => plane.call({ path: collection }).catch(() => undefined);
  await until(isServed, { what: "the definition is served" });
});

/** Without what only the server knows; of times, only whether there is one. */
function comparable(object: JsonObject): JsonObject {
  const { managedFields = [] } = object["metadata"] as { managedFields?: JsonObject[] };
  const managers = managedFields.map(({ manager, operation, time, ...entry }) => [
    `${String(manager)} ${String(operation)}`,
    { ...entry, hasTime: time !== undefined },
  ]);
  return { spec: object["spec"], managers: Object.fromEntries(managers) };
}

function ours(live: JsonObject | undefined, body: JsonObject, { verb, manager, force }: Write) {
  const nowIso = new Date("2026-01-31T12:00:00Z").toISOString().replace(".000Z", "Z");
  const request = {
    live: live ?? { apiVersion, kind: "Thing" },
    manager,
    apiVersion,
    schema,
    resetFields: [["status"]],
    nowIso,
  };
  if (verb === "apply") return applyServerSide({ ...request, applied: body, force });
  const next = applyDefaults(structural, jsonMergePatch(request.live, body));
  return { kind: "applied" as const, object: trackUpdate({ ...request, next }) };
}

async function theirs(path: string, body: JsonObject, { verb, manager, force }: Write) {
  const contentType = verb === "apply" ? "application/apply-patch+yaml" : "application/merge-patch+json";
  const query = verb === "apply" ? `?fieldManager=${manager}&force=${force}` : `?fieldManager=${manager}`;
  try {
    const answer = await plane.call<JsonObject>({ method: "PATCH", path: path + query, body, contentType });
    return { status: 200, answer };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const text = error.message.slice(error.message.indexOf("{"));
    return { status: error.status, answer: JSON.parse(text) as JsonObject };
  }
}

async function compareWrite(
  path: string,
  live: JsonObject | undefined,
  change: Write,
): Promise<JsonObject | undefined> {
  const body = { apiVersion, kind: "Thing", metadata: { name: path.split("/").at(-1) }, spec: change.spec };
  const expected = ours(live, body, change);
  const { status, answer } = await theirs(path, body, change);
  if (expected.kind !== "applied") {
    expect({ status, message: answer["message"] }).toEqual({
      status: expected.kind === "conflicts" ? 409 : expected.code,
      message: expected.message,
    });
    return live;
  }
  const object = fillDefaults(structural, expected.object);
  const causes = validate(structural, object, live);
  expect(status, String(answer["message"])).toBe(causes.length > 0 ? 422 : 200);
  if (causes.length > 0) return live;
  expect(comparable(object)).toEqual(comparable(answer));
  if (live !== undefined) {
    const isNoop = equalJson(keepTimesIfUnchanged(live, object), live);
    const versionOf = (thing: JsonObject) => (thing["metadata"] as JsonObject)["resourceVersion"];
    expect(isNoop).toBe(versionOf(live) === versionOf(answer));
  }
  return answer;
}

test("random sequences of applies and patches agree with the real server", async () => {
  const sequences = fc.sample(fc.array(write, { minLength: 4, maxLength: 8 }), { numRuns: 60, seed: 4 });
  for (const [i, sequence] of sequences.entries()) {
    let live: JsonObject | undefined;
    for (const change of sequence) {
      // A merge patch needs something to patch.
      if (live === undefined && change.verb === "merge") continue;
      live = await compareWrite(`${collection}/thing-${i}`, live, change);
    }
  }
});
