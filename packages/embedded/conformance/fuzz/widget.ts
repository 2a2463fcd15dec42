// The custom resource that random sequences work on.
import type { Requests } from "../requests.ts";

const schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      required: ["size"],
      properties: {
        size: { type: "integer", maximum: 10 },
        color: { type: "string", enum: ["red", "green"], default: "red" },
        tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: {
            type: "object",
            required: ["name"],
            properties: { name: { type: "string" }, port: { type: "integer", default: 7 } },
          },
        },
        extra: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
    },
    status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  },
};

const crd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.fuzz.example.com" },
  spec: {
    group: "fuzz.example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources: { status: {}, scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.replicas" } },
      },
    ],
  },
};

export async function installWidgets(api: Requests): Promise<void> {
  await api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd);
  for (let attempt = 0; attempt < 1_000; attempt++) {
    if ((await api.get("/apis/fuzz.example.com/v1/widgets")).status === 200) return;
  }
  throw new Error("the definition was not established");
}
