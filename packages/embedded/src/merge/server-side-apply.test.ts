import { describe, expect, test } from "vitest";
import type { JsonObject } from "../schema/json.ts";
import { readStructural } from "../schema/read-structural.ts";
import type { SchemaNode } from "../schema/schema-node.ts";
import { applyServerSide } from "./server-side-apply.ts";
import { keepTimesIfUnchanged, trackUpdate } from "./track-update.ts";

const string: SchemaNode = { type: "string" };
const labels: SchemaNode = { type: "object", additionalProperties: string };
const objectMeta: SchemaNode = {
  type: "object",
  properties: new Map([
    ["name", string],
    ["uid", string],
    ["labels", labels],
    ["annotations", labels],
    ["managedFields", { type: "array", items: { type: "object" }, listType: "atomic" }],
  ]),
};

const { object: schema } = readStructural(
  {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: {
          replicas: { type: "integer" },
          paused: { type: "boolean" },
          args: { type: "array", items: { type: "string" } },
          hosts: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
          selector: {
            type: "object",
            "x-kubernetes-map-type": "atomic",
            additionalProperties: { type: "string" },
          },
          ports: {
            type: "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["port", "protocol"],
            items: {
              type: "object",
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
  },
  objectMeta,
);

const kind = { apiVersion: "shop.dev/v1", kind: "Shop" };
const noon = "2026-01-31T12:00:00Z";
const later = "2026-01-31T13:00:00Z";

function shop(spec: JsonObject, more: JsonObject = {}): JsonObject {
  return { ...kind, metadata: { name: "shop" }, spec, ...more };
}

interface Options {
  readonly force?: boolean;
  readonly nowIso?: string;
  readonly subresource?: string;
}

function request(manager: string, live: JsonObject | undefined, { nowIso = noon, subresource = "" }: Options) {
  const resetFields = [[subresource === "status" ? "spec" : "status"]];
  return { live: live ?? kind, manager, schema, apiVersion: kind.apiVersion, nowIso, subresource, resetFields };
}

function tryApply(manager: string, live: JsonObject | undefined, applied: JsonObject, options: Options = {}) {
  return applyServerSide({ ...request(manager, live, options), applied, force: options.force === true });
}

function apply(manager: string, live: JsonObject | undefined, applied: JsonObject, options: Options = {}): JsonObject {
  const result = tryApply(manager, live, applied, options);
  if (result.kind !== "applied") throw new Error(result.message);
  return withUid(result.object);
}

function update(manager: string, live: JsonObject | undefined, next: JsonObject, options: Options = {}): JsonObject {
  return withUid(trackUpdate({ ...request(manager, live, options), next }));
}

function withUid(object: JsonObject): JsonObject {
  return { ...object, metadata: { ...(object["metadata"] as JsonObject), uid: "1" } };
}

/** `manager operation subresource` to what it owns. */
function owners(object: JsonObject): Record<string, unknown> {
  const entries = ((object["metadata"] as JsonObject)["managedFields"] ?? []) as JsonObject[];
  return Object.fromEntries(
    entries.map(({ manager, operation, subresource, fieldsV1 }) => [
      [manager, operation, subresource].filter(Boolean).join(" "),
      fieldsV1,
    ]),
  );
}

function specOf(object: JsonObject): unknown {
  return object["spec"];
}

describe("who applies owns", () => {
  test("what it applied, and nothing that identifies the object", () => {
    expect(owners(apply("a", undefined, shop({ replicas: 1, hosts: ["x"] })))).toEqual({
      "a Apply": { "f:spec": { "f:hosts": { 'v:"x"': {} }, "f:replicas": {} } },
    });
  });

  test("items of lists by their keys, with the keys' defaults", () => {
    expect(owners(apply("a", undefined, shop({ ports: [{ port: 80, name: "web" }] })))).toEqual({
      "a Apply": {
        "f:spec": { "f:ports": { 'k:{"port":80,"protocol":"TCP"}': { ".": {}, "f:name": {}, "f:port": {} } } },
      },
    });
  });

  test("atomic lists and maps as a whole, free-form maps by field", () => {
    const applied = shop({ args: ["a"], selector: { app: "x" }, free: { a: { b: 1 }, c: [1] } });
    expect(owners(apply("a", undefined, applied))).toEqual({
      "a Apply": {
        "f:spec": {
          "f:args": {},
          "f:free": { "f:a": { ".": {}, "f:b": {} }, "f:c": {} },
          "f:selector": {},
        },
      },
    });
  });

  test("nothing of a status, except through the status endpoint", () => {
    const live = apply("a", undefined, shop({ replicas: 1 }, { status: { phase: "x" } }));
    expect(owners(live)).toEqual({ "a Apply": { "f:spec": { "f:replicas": {} } } });
    const withStatus = apply("a", live, { ...shop({}), status: { phase: "y" } }, { subresource: "status" });
    expect(owners(withStatus)["a Apply status"]).toEqual({ "f:status": { "f:phase": {} } });
  });
});

describe("a second manager", () => {
  test("conflicts over a value that differs, in the server's words", () => {
    const live = apply("a", undefined, shop({ replicas: 1 }));
    expect(tryApply("b", live, shop({ replicas: 2 }))).toEqual({
      kind: "conflicts",
      message: 'Apply failed with 1 conflict: conflict with "a": .spec.replicas',
      conflicts: [{ reason: "FieldManagerConflict", message: 'conflict with "a"', field: ".spec.replicas" }],
    });
  });

  test("is told of every conflict, with the version of updaters", () => {
    const live = update("kubectl-edit", undefined, shop({ replicas: 1, ports: [{ port: 80, name: "web" }] }));
    const result = tryApply("b", live, shop({ replicas: 2, ports: [{ port: 80, name: "www" }] }));
    expect(result).toMatchObject({
      message: [
        'Apply failed with 2 conflicts: conflicts with "kubectl-edit" using shop.dev/v1:',
        "- .spec.replicas",
        '- .spec.ports[port=80,protocol="TCP"].name',
      ].join("\n"),
    });
  });

  test("shares a field that it sets to the same value", () => {
    const live = apply("b", apply("a", undefined, shop({ replicas: 1 })), shop({ replicas: 1 }));
    expect(owners(live)).toEqual({
      "a Apply": { "f:spec": { "f:replicas": {} } },
      "b Apply": { "f:spec": { "f:replicas": {} } },
    });
  });

  test("takes a field by force", () => {
    const live = apply("a", undefined, shop({ replicas: 1, paused: true }));
    const taken = apply("b", live, shop({ replicas: 2 }), { force: true });
    expect(specOf(taken)).toEqual({ replicas: 2, paused: true });
    expect(owners(taken)).toEqual({
      "a Apply": { "f:spec": { "f:paused": {} } },
      "b Apply": { "f:spec": { "f:replicas": {} } },
    });
  });
});

describe("a field that its manager stops applying", () => {
  test("is removed", () => {
    const live = apply("a", undefined, shop({ replicas: 1, paused: true }));
    expect(specOf(apply("a", live, shop({ paused: true })))).toEqual({ paused: true });
  });

  test("stays while another manager owns it", () => {
    const live = apply("b", apply("a", undefined, shop({ replicas: 1 })), shop({ replicas: 1 }));
    const left = apply("a", live, shop({ paused: true }));
    expect(specOf(left)).toEqual({ replicas: 1, paused: true });
    expect(owners(left)["a Apply"]).toEqual({ "f:spec": { "f:paused": {} } });
  });

  test("is the item of a list if nobody else has one like it", () => {
    const live = apply("a", undefined, shop({ ports: [{ port: 80 }, { port: 81 }], hosts: ["x", "y"] }));
    const shared = apply("b", live, shop({ ports: [{ port: 81 }], hosts: ["z"] }));
    expect(specOf(apply("a", shared, shop({ ports: [], hosts: ["y"] })))).toEqual({
      ports: [{ port: 81 }],
      hosts: ["y", "z"],
    });
  });
});

describe("an update", () => {
  test("takes what it changes from whoever had it", () => {
    const live = apply("a", undefined, shop({ replicas: 1, paused: true }));
    expect(owners(update("b", live, { ...live, spec: { replicas: 5, paused: true } }))).toEqual({
      "a Apply": { "f:spec": { "f:paused": {} } },
      "b Update": { "f:spec": { "f:replicas": {} } },
    });
  });

  test("that removes a field leaves a manager without fields behind no more", () => {
    const live = apply("a", undefined, shop({ replicas: 1 }));
    expect(owners(update("b", live, { ...live, spec: {} }))).toEqual({});
  });

  test("by a client that knows nothing of managedFields keeps them", () => {
    const live = apply("a", undefined, shop({ replicas: 1 }));
    const { managedFields: _, ...metadata } = live["metadata"] as JsonObject;
    expect(owners(update("b", live, { ...live, metadata }))).toEqual(owners(live));
  });

  test("with an empty list of managedFields resets them", () => {
    const live = apply("a", undefined, shop({ replicas: 1 }));
    const metadata = { ...(live["metadata"] as JsonObject), managedFields: [] };
    expect(owners(update("b", live, { ...live, metadata, spec: { replicas: 2 } }))).toEqual({});
  });

  test("keeps ten updaters and merges the oldest into one", () => {
    let live = update("m00", undefined, shop({ replicas: 0 }));
    for (let i = 1; i <= 11; i++) {
      const time = `2026-01-31T12:00:${String(i).padStart(2, "0")}Z`;
      const free = { ...((live["spec"] as JsonObject)["free"] as JsonObject), [`k${i}`]: i };
      live = update(`m${String(i).padStart(2, "0")}`, live, { ...live, spec: { replicas: 0, free } }, { nowIso: time });
    }
    const names = Object.keys(owners(live));
    expect(names).toHaveLength(10);
    expect(names[0]).toBe("ancient-changes Update");
    expect(names).not.toContain("m00 Update");
  });
});

test("what was there before the first apply belongs to before-first-apply", () => {
  const live = withUid(shop({ replicas: 1, paused: true }));
  expect(owners(apply("a", live, shop({ replicas: 1 })))).toEqual({
    "a Apply": { "f:spec": { "f:replicas": {} } },
    "before-first-apply Update": { "f:spec": { ".": {}, "f:paused": {}, "f:replicas": {} } },
  });
});

test("an apply that changes nothing changes no time", () => {
  const live = apply("a", undefined, shop({ replicas: 1 }));
  const again = tryApply("a", live, shop({ replicas: 1 }), { nowIso: later });
  expect(again).toEqual({ kind: "applied", isChanged: false, object: live });
});

test("times are those of before where nothing else changed", () => {
  const live = apply("a", undefined, shop({ replicas: 1 }));
  const [entry] = (live["metadata"] as JsonObject)["managedFields"] as JsonObject[];
  const metadata = { ...(live["metadata"] as JsonObject), managedFields: [{ ...entry, time: later }] };
  expect(keepTimesIfUnchanged(live, { ...live, metadata })).toEqual(live);
  expect(keepTimesIfUnchanged(live, { ...live, metadata, spec: {} })).toEqual({ ...live, metadata, spec: {} });
});

test("kubectl takes over from its client-side apply without conflicts", () => {
  const annotation = "kubectl.kubernetes.io/last-applied-configuration";
  const lastApplied = JSON.stringify(shop({ replicas: 1 }));
  const annotated = { name: "shop", annotations: { [annotation]: lastApplied } };
  const live = update("kubectl-client-side-apply", undefined, { ...shop({ replicas: 1 }), metadata: annotated });
  const taken = apply("kubectl", live, shop({ replicas: 2 }));
  expect(specOf(taken)).toEqual({ replicas: 2 });
  expect(taken).toMatchObject({
    metadata: { annotations: { [annotation]: `${JSON.stringify(shop({ replicas: 2 }))}\n` } },
  });
});

describe("what can't be applied", () => {
  test.each([
    { applied: { ...shop({}), kind: "Other" }, message: "invalid object type: shop.dev/v1, Kind=Other" },
    {
      applied: { ...kind, metadata: { name: "shop", managedFields: [] } },
      message: "metadata.managedFields must be nil",
    },
    {
      applied: shop({ colour: 1 }),
      message:
        "failed to create typed patch object (/shop; shop.dev/v1, Kind=Shop): .spec.colour: field not declared in schema",
    },
    {
      applied: shop({ replicas: "1" }),
      message:
        "failed to create typed patch object (/shop; shop.dev/v1, Kind=Shop): .spec.replicas: expected numeric (int or float), got string",
    },
    {
      applied: shop({ hosts: ["x", "x"] }),
      message:
        'failed to create typed patch object (/shop; shop.dev/v1, Kind=Shop): .spec.hosts: duplicate entries for key [="x"]',
    },
  ])("$message", ({ applied, message }) => {
    expect(tryApply("a", undefined, applied)).toMatchObject({ kind: "error", message });
  });
});

test("keys such as __proto__ are data", () => {
  const free = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 2}');
  const live = apply("a", undefined, shop({ free }));
  expect(JSON.stringify(specOf(live))).toBe('{"free":{"__proto__":{"polluted":1},"constructor":2}}');
  const left = apply("a", live, shop({ free: { constructor: 2 } }));
  expect(JSON.stringify(specOf(left))).toBe('{"free":{"constructor":2}}');
  expect(({} as JsonObject)["polluted"]).toBeUndefined();
});
