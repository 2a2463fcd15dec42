// What a definition brings with it: discovery, tables, versions, selectable fields, its own life.
import type { ConformanceCase } from "../case.ts";
import { untilAnswer } from "../waiting.ts";
import { CRDS, created, define, establish, onWidgets, widget } from "./widgets.ts";

export const customResourceDefinitionCases: readonly ConformanceCase[] = [
  onWidgets("objects show a default that their definition got later", async (scene, definition, path) => {
    await created(scene, definition, path, { size: 1 });
    const added = {
      op: "add",
      path: "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/name/default",
    };
    await scene.api.unrecorded().jsonPatch(definition.path, [{ ...added, value: "abc" }]);
    await untilAnswer(scene.api.unrecorded(), path("one"), ({ body }) => body.spec.name === "abc");
    await scene.api.get(path("one"));
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
  onWidgets("discovery", async (scene, { group }) => {
    await scene.api.get(`/apis/${group}`);
    await scene.api.get(`/apis/${group}/v1`);
  }),
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
      await untilAnswer(quiet, definition.path, ({ body }) => {
        const conditions: readonly { readonly status: string }[] = body.status?.conditions ?? [];
        return conditions.length === 2 && conditions.every(({ status }) => status === "True");
      });
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
      await untilAnswer(quiet, definition.path, ({ status }) => status !== 200);
      await scene.api.get(definition.path);
    },
  },
];
