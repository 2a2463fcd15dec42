// How a custom resource is changed: patches, apply, its status and its scale.
import type { ConformanceCase } from "../case.ts";
import { created, onWidgets, widget } from "./widgets.ts";

export const customResourceChangeCases: readonly ConformanceCase[] = [
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
];
