import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Deployment, findDisagreement, type KubeObject, type Service } from "./index.ts";

const desired: Deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", labels: { "app.kubernetes.io/name": "web" }, annotations: {} },
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: {
        containers: [
          { name: "web", image: "web:1", ports: [{ containerPort: 80 }], resources: { limits: { cpu: "1000m" } } },
          { name: "proxy", image: "proxy:1", env: [{ name: "MODE", value: "fast" }] },
        ],
        volumes: [{ name: "tmp", emptyDir: {} }],
        tolerations: [{ key: "spot", operator: "Exists" }],
      },
    },
  },
};

/** As an API server answers: defaults filled in, quantities normalised, items of others beside ours, another order. */
const live: Deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: {
    name: "web",
    namespace: "default",
    uid: "1",
    resourceVersion: "7",
    labels: { "app.kubernetes.io/name": "web", "other.io/x": "y" },
  },
  spec: {
    replicas: 1,
    revisionHistoryLimit: 10,
    selector: { matchLabels: { app: "web" } },
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: {
        containers: [
          {
            name: "proxy",
            image: "proxy:1",
            env: [
              { name: "A", value: "b" },
              { name: "MODE", value: "fast" },
            ],
          },
          { name: "injected", image: "sidecar" },
          {
            name: "web",
            image: "web:1",
            imagePullPolicy: "IfNotPresent",
            ports: [{ containerPort: 80, protocol: "TCP" }],
            resources: { limits: { cpu: "1", memory: "1Gi" } },
          },
        ],
        restartPolicy: "Always",
        volumes: [{ name: "tmp", emptyDir: {} }],
        tolerations: [{ key: "spot", operator: "Exists" }],
      },
    },
  },
  status: { observedGeneration: 1 },
};

type Json = { [name: string]: Json } & { [index: number]: Json };

/** A copy of the live object after somebody's edit. */
function edited(edit: (object: Json) => void): unknown {
  const copy: unknown = structuredClone(live);
  edit(copy as Json);
  return copy;
}

const inPod = (object: Json): Json => object["spec"]?.["template"]?.["spec"] ?? {};

test("defaults, normalised values, items of others and their order are no disagreement", () => {
  expect(findDisagreement(desired, live)).toBeUndefined();
});

describe("live disagrees", () => {
  test.each<{ what: string; edit: (object: Json) => unknown; path: string }>([
    {
      what: "on a scalar in an item that is known by its key",
      edit: (object) => Object.assign(inPod(object)["containers"]?.[2] ?? {}, { image: "web:2" }),
      path: "spec.template.spec.containers[name=web].image",
    },
    {
      what: "on an item that is gone",
      edit: (object) => Object.assign(inPod(object), { containers: [inPod(object)["containers"]?.[0]] }),
      path: "spec.template.spec.containers[name=web]",
    },
    {
      what: "on a port whose key is completed by its default",
      edit: (object) =>
        Object.assign(inPod(object)["containers"]?.[2] ?? {}, { ports: [{ containerPort: 80, protocol: "UDP" }] }),
      path: "spec.template.spec.containers[name=web].ports[containerPort=80,protocol=TCP]",
    },
    {
      what: "on a quantity of another value",
      edit: (object) => Object.assign(inPod(object)["containers"]?.[2]?.["resources"]?.["limits"] ?? {}, { cpu: "2" }),
      path: "spec.template.spec.containers[name=web].resources.limits.cpu",
    },
    {
      what: "on the length of a list without keys",
      edit: (object) =>
        Object.assign(inPod(object), { tolerations: [{ key: "spot", operator: "Exists" }, { key: "x" }] }),
      path: "spec.template.spec.tolerations",
    },
    {
      what: "on a selector that got one label more, for it is one whole",
      edit: (object) => Object.assign(object["spec"]?.["selector"]?.["matchLabels"] ?? {}, { extra: "x" }),
      path: "spec.selector.matchLabels.extra",
    },
    {
      what: "on a label of ours",
      edit: (object) => Object.assign(object["metadata"] ?? {}, { labels: {} }),
      path: 'metadata.labels["app.kubernetes.io/name"]',
    },
    {
      what: "on an empty structure that says which kind of volume it is",
      edit: (object) => Object.assign(inPod(object), { volumes: [{ name: "tmp", hostPath: { path: "/" } }] }),
      path: "spec.template.spec.volumes[name=tmp].emptyDir",
    },
  ])("$what", ({ edit, path }) => {
    expect(findDisagreement(desired, edited(edit))?.path).toBe(path);
  });

  test("says both values", () => {
    const changed = { ...live, spec: { ...live.spec, paused: true } };
    expect(findDisagreement({ ...desired, spec: { paused: false } }, changed)).toEqual({
      path: "spec.paused",
      desired: false,
      live: true,
    });
  });
});

describe("what a field says", () => {
  const service = (spec: Service["spec"]): Service => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web" },
    spec,
  });
  const custom = (spec: unknown): KubeObject & { spec: unknown } => ({
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name: "w", finalizers: ["a"] },
    spec,
  });

  test.each([
    { what: "null and undefined set nothing", ours: custom({ a: null, b: undefined }), theirs: custom({ a: 1 }) },
    { what: "an empty list is an absent one", ours: custom({ list: [] }), theirs: custom({}) },
    { what: "an empty map is an absent one", ours: service({ selector: {} }), theirs: service({}) },
    {
      what: "items of a list may get defaults",
      ours: custom({ list: [{ a: 1 }] }),
      theirs: custom({ list: [{ a: 1, b: 2 }] }),
    },
    {
      what: "finalizers of others may stay",
      ours: custom({}),
      theirs: { ...custom({}), metadata: { name: "w", finalizers: ["b", "a"] } },
    },
    {
      what: "items of a list answer lack apiVersion and kind",
      ours: custom({ a: 1 }),
      theirs: { metadata: { name: "w", finalizers: ["a"] }, spec: { a: 1 } },
    },
  ])("$what", ({ ours, theirs }) => {
    expect(findDisagreement(ours, theirs)).toBeUndefined();
  });

  test.each([
    {
      what: "a port by number is not a port by name",
      ours: service({ ports: [{ port: 80, targetPort: 80 }] }),
      theirs: service({ ports: [{ port: 80, targetPort: "80" }] }),
      path: "spec.ports[port=80,protocol=TCP].targetPort",
    },
    {
      what: "a custom kind keeps its empty structures",
      ours: custom({ tls: {} }),
      theirs: custom({}),
      path: "spec.tls",
    },
    {
      what: "an empty list is not a full one",
      ours: custom({ list: [] }),
      theirs: custom({ list: [1] }),
      path: "spec.list",
    },
    { what: "a list is no object", ours: custom({ list: [1] }), theirs: custom({ list: { a: 1 } }), path: "spec.list" },
    {
      what: "a finalizer of ours must be there",
      ours: custom({}),
      theirs: { ...custom({}), metadata: { name: "w" } },
      path: "metadata.finalizers[=a]",
    },
  ])("$what", ({ ours, theirs, path }) => {
    expect(findDisagreement(ours, theirs)?.path).toBe(path);
  });
});

test("an object agrees with itself plus anything, and disagrees without any one of its scalars", () => {
  const scalars = fc.oneof(fc.integer(), fc.string(), fc.boolean());
  const specs = fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), scalars, { minKeys: 1 });
  fc.assert(
    fc.property(specs, fc.jsonValue(), fc.nat(), (spec, addition, pick) => {
      expect(findDisagreement({ spec }, { spec: { ...spec, NEW: addition }, status: addition })).toBeUndefined();
      const names = Object.keys(spec);
      const gone = names[pick % names.length] ?? "";
      const { [gone]: _gone, ...rest } = spec;
      expect(findDisagreement({ spec }, { spec: rest })?.path).toBe(`spec.${gone}`);
    }),
  );
});
