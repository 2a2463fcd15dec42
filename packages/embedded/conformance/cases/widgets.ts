// Custom resources to play with: Widgets, of a group of their own for each case.
import type { ConformanceCase, Scene } from "../case.ts";
import type { Answer } from "../requests.ts";
import { untilServed } from "../waiting.ts";

export const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

export interface Definition {
  readonly group: string;
  readonly path: string;
  readonly crd: Record<string, unknown>;
}

type Version = Record<string, unknown>;

export const WIDGET_STATUS = {
  type: "object",
  properties: { replicas: { type: "integer" }, selector: { type: "string" }, phase: { type: "string" } },
};
export const WIDGET_SUBRESOURCES = {
  status: {},
  scale: {
    specReplicasPath: ".spec.size",
    statusReplicasPath: ".status.replicas",
    labelSelectorPath: ".status.selector",
  },
};

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
    status: WIDGET_STATUS,
  },
};

export function define({ unique }: Scene, versions?: Version[], more: Record<string, unknown> = {}): Definition {
  const group = `${unique("widgets")}.example.com`;
  const version = {
    name: "v1",
    served: true,
    storage: true,
    schema: { openAPIV3Schema: WIDGET_SCHEMA },
    subresources: WIDGET_SUBRESOURCES,
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

/** What it takes until it is served is not recorded. */
export async function establish(
  scene: Scene,
  definition: Definition,
  versions: readonly string[] = ["v1"],
): Promise<(...rest: string[]) => string> {
  const quiet = scene.api.unrecorded();
  await quiet.post(CRDS, definition.crd);
  await untilServed(
    quiet,
    versions.map((version) => `/apis/${definition.group}/${version}/widgets`),
  );
  return (...rest) => scene.path(`${definition.group}/v1`, "widgets", ...rest);
}

export const widget = (
  { group }: Definition,
  name: string,
  spec: unknown,
  version = "v1",
): Record<string, unknown> => ({
  apiVersion: `${group}/${version}`,
  kind: "Widget",
  metadata: { name },
  spec,
});

type Play = (scene: Scene, definition: Definition, path: (...rest: string[]) => string) => Promise<unknown>;

export function onWidgets(name: string, play: Play, versions?: Version[]): ConformanceCase {
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

export const created = (
  scene: Scene,
  definition: Definition,
  path: (...rest: string[]) => string,
  spec: unknown,
): Promise<Answer> => scene.api.post(path(), widget(definition, "one", spec));
