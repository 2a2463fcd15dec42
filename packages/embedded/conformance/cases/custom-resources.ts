import type { ConformanceCase, Scene } from "../case.ts";
import type { Answer } from "../requests.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

interface Definition {
  readonly group: string;
  readonly path: string;
  readonly crd: Record<string, unknown>;
}

type Version = Record<string, unknown>;

const WIDGET_SCHEMA = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      required: ["size"],
      properties: {
        size: { type: "integer", minimum: 1, maximum: 10 },
        color: { type: "string", enum: ["red", "green"], default: "red" },
        name: { type: "string", maxLength: 5, pattern: "^[a-z]+$" },
        tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: {
            type: "object",
            required: ["name"],
            properties: { name: { type: "string" }, port: { type: "integer" } },
          },
        },
        limit: { "x-kubernetes-int-or-string": true },
        extra: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        nothing: { type: "string", nullable: true },
        nested: { type: "object", default: {}, properties: { deep: { type: "boolean", default: true } } },
      },
    },
    status: {
      type: "object",
      properties: { replicas: { type: "integer" }, selector: { type: "string" }, phase: { type: "string" } },
    },
  },
};

function define({ unique }: Scene, versions?: Version[], more: Record<string, unknown> = {}): Definition {
  const group = `${unique("widgets")}.example.com`;
  const version = {
    name: "v1",
    served: true,
    storage: true,
    schema: { openAPIV3Schema: WIDGET_SCHEMA },
    subresources: {
      status: {},
      scale: {
        specReplicasPath: ".spec.size",
        statusReplicasPath: ".status.replicas",
        labelSelectorPath: ".status.selector",
      },
    },
  };
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget", shortNames: ["wd"], categories: ["all"] },
      versions: versions ?? [version],
      ...more,
    },
  };
  return { group, path: `${CRDS}/widgets.${group}`, crd };
}

/** Waits unrecorded: how long it takes is the server's affair. */
async function establish(
  scene: Scene,
  definition: Definition,
  versions: readonly string[] = ["v1"],
): Promise<(...rest: string[]) => string> {
  const quiet = scene.api.unrecorded();
  await quiet.post(CRDS, definition.crd);
  for (let attempt = 0; attempt < 200; attempt++) {
    const answers = await Promise.all(
      versions.map((version) => quiet.get(`/apis/${definition.group}/${version}/widgets`)),
    );
    if (answers.every(({ status }) => status === 200)) break;
    await quiet.get("/readyz");
  }
  return (...rest) => scene.path(`${definition.group}/v1`, "widgets", ...rest);
}

const widget = ({ group }: Definition, name: string, spec: unknown, version = "v1"): Record<string, unknown> => ({
  apiVersion: `${group}/${version}`,
  kind: "Widget",
  metadata: { name },
  spec,
});

type Play = (scene: Scene, definition: Definition, path: (...rest: string[]) => string) => Promise<unknown>;

function onWidgets(name: string, play: Play, versions?: Version[]): ConformanceCase {
  return {
    name: `custom resource: ${name}`,
    run: async (scene) => {
      const definition = define(scene, versions);
      const path = await establish(
        scene,
        definition,
        versions?.filter(({ served }) => served).map((version) => String(version["name"])),
      );
      await play(scene, definition, path);
      await scene.api.unrecorded().delete(definition.path);
    },
  };
}

async function untilShown(scene: Scene, path: string, isShown: (body: Answer["body"]) => boolean): Promise<void> {
  const quiet = scene.api.unrecorded();
  for (let attempt = 0; attempt < 500; attempt++) if (isShown((await quiet.get(path)).body)) return;
}

const created = (
  scene: Scene,
  definition: Definition,
  path: (...rest: string[]) => string,
  spec: unknown,
): Promise<Answer> => scene.api.post(path(), widget(definition, "one", spec));

const INVALID_SPECS: Readonly<Record<string, unknown>> = {
  "a required field is missing": {},
  "a number is too small": { size: 0 },
  "a number is too large": { size: 11 },
  "a number is a string": { size: "1" },
  "a number has a fraction": { size: 1.5 },
  "a value is not in the enumeration": { size: 1, color: "blue" },
  "a text is too long and does not match": { size: 1, name: "ABCDEFG" },
  "a set has duplicates": { size: 1, tags: ["a", "a"] },
  "a list map has duplicate keys": { size: 1, ports: [{ name: "a" }, { name: "a" }] },
  "a list map lacks its key": { size: 1, ports: [{ port: 1 }] },
  "an int-or-string is a boolean": { size: 1, limit: true },
  "a list is an object": { size: 1, tags: {} },
  "the spec is a string": "text",
  "several things are wrong": { size: 99, color: "blue", tags: [1] },
};

export const customResourceCases: readonly ConformanceCase[] = [
  onWidgets(
    "a scale whose replicas nobody set",
    async (scene, definition, path) => {
      await created(scene, definition, path, {});
      await scene.api.get(path("one", "scale"));
      await scene.api.merge(path("one", "scale"), { spec: { replicas: 0 } });
      await scene.api.get(path("one", "scale"));
    },
    [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        subresources: { scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.replicas" } },
      },
    ],
  ),
  onWidgets("objects show a default that their definition got later", async (scene, definition, path) => {
    await created(scene, definition, path, { size: 1 });
    const added = {
      op: "add",
      path: "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/name/default",
    };
    await scene.api.unrecorded().jsonPatch(definition.path, [{ ...added, value: "abc" }]);
    await untilShown(scene, path("one"), ({ spec }) => spec.name === "abc");
    await scene.api.get(path("one"));
  }),
  onWidgets(
    "a status starts with its defaults",
    async (scene, definition, path) => {
      await created(scene, definition, path, { size: 1 });
      await scene.api.get(path("one"));
    },
    [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object" },
              status: { type: "object", default: { phase: "new" }, properties: { phase: { type: "string" } } },
            },
          },
        },
        subresources: { status: {} },
      },
    ],
  ),
  onWidgets("a scale can't be applied", async (scene, definition, path) => {
    await created(scene, definition, path, { size: 1 });
    const scale = { apiVersion: "autoscaling/v1", kind: "Scale", spec: { replicas: 2 } };
    await scene.api.apply(`${path("one", "scale")}?fieldManager=alice&force=true`, scale);
  }),
  onWidgets("defaults are filled in", (scene, definition, path) => created(scene, definition, path, { size: 1 })),
  onWidgets("unknown fields are pruned with a warning", (scene, definition, path) =>
    created(scene, definition, path, { size: 1, unknown: { a: 1 }, extra: { kept: true } }),
  ),
  onWidgets("unknown fields are refused when strict", (scene, definition, path) =>
    scene.api.post(`${path()}?fieldValidation=Strict`, widget(definition, "one", { size: 1, unknown: 1 })),
  ),
  onWidgets("null where it is allowed and where it is not", async (scene, definition, path) => {
    await created(scene, definition, path, { size: 1, nothing: null, color: null });
    await scene.api.post(path(), widget(definition, "two", { size: 1, name: null }));
  }),
  onWidgets("a status in a create is dropped", async (scene, definition, path) => {
    await scene.api.post(path(), { ...widget(definition, "one", { size: 1 }), status: { phase: "x" } });
  }),
  onWidgets("generation counts changes of the spec alone", async (scene, definition, path) => {
    await created(scene, definition, path, { size: 1 });
    await scene.api.merge(path("one"), { metadata: { labels: { a: "b" } } });
    await scene.api.merge(path("one"), { spec: { size: 2 } });
    await scene.api.merge(path("one", "status"), { status: { phase: "ready" } });
  }),
  onWidgets("the status is written by its own endpoint alone", async (scene, definition, path) => {
    const { body } = await created(scene, definition, path, { size: 1 });
    await scene.api.put(path("one"), { ...body, status: { phase: "no" } });
    await scene.api.put(path("one", "status"), {
      ...body,
      spec: { size: 5 },
      metadata: { ...body.metadata, labels: { a: "b" } },
      status: { phase: "yes" },
    });
    await scene.api.get(path("one", "status"));
  }),
  onWidgets("a bad status is refused", async (scene, definition, path) => {
    await created(scene, definition, path, { size: 1 });
    await scene.api.merge(path("one", "status"), { status: { replicas: "many" } });
  }),
  onWidgets("scale reads and writes", async (scene, definition, path) => {
    await created(scene, definition, path, { size: 2 });
    await scene.api.merge(path("one", "status"), { status: { replicas: 2, selector: "a=b" } });
    const { body } = await scene.api.get(path("one", "scale"));
    await scene.api.put(path("one", "scale"), { ...body, spec: { replicas: 3 } });
    await scene.api.merge(path("one", "scale"), { spec: { replicas: 4 } });
    await scene.api.get(path("one"));
  }),
  onWidgets("scale beyond what the schema allows", async (scene, definition, path) => {
    await created(scene, definition, path, { size: 2 });
    await scene.api.merge(path("one", "scale"), { spec: { replicas: 40 } });
  }),
  onWidgets("an update needs a resourceVersion", async (scene, definition, path) => {
    await created(scene, definition, path, { size: 1 });
    await scene.api.put(path("one"), widget(definition, "one", { size: 2 }));
  }),
  onWidgets("strategic merge patch is refused", async (scene, definition, path) => {
    await created(scene, definition, path, { size: 1 });
    await scene.api.strategic(path("one"), { spec: { size: 2 } });
  }),
  onWidgets("JSON patch", async (scene, definition, path) => {
    await created(scene, definition, path, { size: 1, tags: ["a"] });
    await scene.api.jsonPatch(path("one"), [
      { op: "add", path: "/spec/tags/-", value: "b" },
      { op: "test", path: "/spec/size", value: 1 },
      { op: "remove", path: "/spec/color" },
    ]);
  }),
  onWidgets("apply merges lists by their keys", async (scene, definition, path) => {
    const by = (manager: string, force = false): string =>
      `${path("one")}?fieldManager=${manager}${force ? "&force=true" : ""}`;
    await scene.api.apply(
      by("a"),
      widget(definition, "one", { size: 1, ports: [{ name: "x", port: 1 }], tags: ["a"] }),
    );
    await scene.api.apply(
      by("b"),
      widget(definition, "one", { size: 1, ports: [{ name: "y", port: 2 }], tags: ["b"] }),
    );
    await scene.api.apply(by("b"), widget(definition, "one", { size: 2, ports: [{ name: "x", port: 9 }] }));
    await scene.api.apply(by("b", true), widget(definition, "one", { size: 2, ports: [{ name: "x", port: 9 }] }));
    await scene.api.apply(by("a"), widget(definition, "one", { size: 2 }));
  }),
  onWidgets("apply of what the schema does not know", async (scene, definition, path) => {
    await scene.api.apply(`${path("one")}?fieldManager=a`, widget(definition, "one", { size: 1, unknown: true }));
  }),
  onWidgets("as a table with its default columns", async (scene, definition, path) => {
    await created(scene, definition, path, { size: 1 });
    await scene.api.get(`${path()}?includeObject=None`, { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" });
  }),
  onWidgets("metadata alone", async (scene, definition, path) => {
    await created(scene, definition, path, { size: 1 });
    await scene.api.get(path("one"), { accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" });
    await scene.api.get(path(), { accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" });
  }),
  onWidgets("the wrong kind or version in the body", async (scene, definition, path) => {
    await scene.api.post(path(), { ...widget(definition, "one", { size: 1 }), kind: "Gadget" });
    await scene.api.post(path(), { ...widget(definition, "one", { size: 1 }), apiVersion: "example.com/v9" });
  }),
  onWidgets("no kind and no version in the body", async (scene, _definition, path) => {
    await scene.api.post(path(), { metadata: { name: "one" }, spec: { size: 1 } });
  }),
  onWidgets("unknown and wrong metadata", async (scene, definition, path) => {
    await scene.api.post(path(), { ...widget(definition, "one", { size: 1 }), metadata: { name: "one", foo: 1 } });
    await scene.api.post(path(), {
      ...widget(definition, "two", { size: 1 }),
      metadata: { name: "two", labels: { a: 1 } },
    });
  }),
  onWidgets("discovery", async (scene, { group }) => {
    await scene.api.get(`/apis/${group}`);
    await scene.api.get(`/apis/${group}/v1`);
  }),
  ...Object.entries(INVALID_SPECS).map(([name, spec]) =>
    onWidgets(`refused: ${name}`, (scene, definition, path) => created(scene, definition, path, spec)),
  ),
  onWidgets(
    "printer columns of every type",
    async (scene, definition, path) => {
      const spec = {
        text: "a",
        count: 3,
        ratio: 0.5,
        is: true,
        list: [
          { type: "x", status: "True" },
          { type: "y", status: "False" },
        ],
        map: { a: 1 },
      };
      await created(scene, definition, path, spec);
      await scene.api.get(`${path()}?includeObject=None`, { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" });
    },
    [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        additionalPrinterColumns: [
          { name: "Text", type: "string", jsonPath: ".spec.text" },
          { name: "Count", type: "integer", jsonPath: ".spec.count", priority: 1, format: "int32" },
          { name: "Ratio", type: "number", jsonPath: ".spec.ratio" },
          { name: "Is", type: "boolean", jsonPath: ".spec.is" },
          { name: "Y", type: "string", jsonPath: '.spec.list[?(@.type=="y")].status' },
          { name: "First", type: "string", jsonPath: ".spec.list[0].type" },
          { name: "Map", type: "string", jsonPath: ".spec.map" },
          { name: "Absent", type: "string", jsonPath: ".spec.absent" },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
      },
    ],
  ),
  onWidgets(
    "two versions of the same objects",
    async (scene, definition, path) => {
      await created(scene, definition, path, { a: 1 });
      const old = scene.path(`${definition.group}/v1beta1`, "widgets");
      await scene.api.get(`${old}/one`);
      await scene.api.post(old, widget(definition, "two", { a: 2 }, "v1beta1"));
      await scene.api.get(path("two"));
      await scene.api.merge(`${old}/one`, { spec: { a: 3 } });
      await scene.api.apply(`${old}/one?fieldManager=x`, widget(definition, "one", { b: 1 }, "v1beta1"));
      await scene.api.get(`/apis/${definition.group}`);
    },
    ["v1", "v1beta1"].map((name) => ({
      name,
      served: true,
      storage: name === "v1",
      schema: {
        openAPIV3Schema: {
          type: "object",
          properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        },
      },
    })),
  ),
  onWidgets(
    "selectable fields",
    async (scene, definition, path) => {
      await created(scene, definition, path, { color: "red" });
      await scene.api.post(path(), widget(definition, "two", { color: "blue" }));
      await scene.api.get(`${path()}?fieldSelector=spec.color%3Dblue`);
      await scene.api.get(`${path()}?fieldSelector=spec.size%3D1`);
    },
    [
      {
        name: "v1",
        served: true,
        storage: true,
        selectableFields: [{ jsonPath: ".spec.color" }],
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", properties: { color: { type: "string" } } } },
          },
        },
      },
    ],
  ),
  {
    name: "custom resource definition: created, established, read",
    run: async (scene) => {
      const definition = define(scene);
      await scene.api.post(CRDS, definition.crd);
      const quiet = scene.api.unrecorded();
      for (let attempt = 0; attempt < 200; attempt++) {
        const { body } = await quiet.get(definition.path);
        if (
          (body.status?.conditions?.length ?? 0) === 2 &&
          body.status.conditions.every((condition: { status: string }) => condition.status === "True")
        )
          break;
      }
      await scene.api.get(definition.path);
      await scene.api.merge(definition.path, { metadata: { labels: { a: "b" } } });
      await quiet.delete(definition.path);
    },
  },
  {
    name: "custom resource definition: deleted with its objects",
    run: async (scene) => {
      const definition = define(scene);
      const path = await establish(scene, definition);
      await scene.api.unrecorded().post(path(), widget(definition, "one", { size: 1 }));
      await scene.api.delete(definition.path);
      const quiet = scene.api.unrecorded();
      for (let attempt = 0; attempt < 500 && (await quiet.get(definition.path)).status === 200; attempt++);
      await scene.api.get(definition.path);
    },
  },
];
