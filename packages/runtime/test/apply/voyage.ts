import { type CustomResourceDefinition, defineKind, type KubeObject } from "@chaski/kube";

/** The owner of all that the tests apply. */
export interface Voyage extends KubeObject {
  readonly spec?: { readonly port?: string };
  readonly status?: Readonly<Record<string, unknown>>;
}

export const Voyage = defineKind<Voyage>({
  group: "applier.chaski.dev",
  version: "v1",
  kind: "Voyage",
  plural: "voyages",
  isNamespaced: true,
});

/** A custom kind to be applied, with what makes comparing hard: quantities, defaults, lists by key and as sets. */
export interface Cargo extends KubeObject {
  readonly spec: Readonly<Record<string, unknown>>;
}

export const Cargo = defineKind<Cargo>({
  group: "applier.chaski.dev",
  version: "v1",
  kind: "Cargo",
  plural: "cargoes",
  isNamespaced: true,
});

const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const text = { type: "string" };

export const voyageCrds: readonly CustomResourceDefinition[] = [
  crd("Voyage", "voyages", {
    spec: anything,
    status: { ...anything, properties: { hull: { type: "object", properties: { wood: text } } } },
  }),
  crd("Cargo", "cargoes", {
    spec: {
      type: "object",
      properties: {
        weight: { "x-kubernetes-int-or-string": true },
        deck: { type: "string", default: "lower" },
        tags: { type: "array", items: text, "x-kubernetes-list-type": "set" },
        notes: { type: "array", items: text },
        crates: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: {
            type: "object",
            required: ["name"],
            properties: { name: text, count: { type: "integer", default: 1 } },
          },
        },
        hold: anything,
      },
    },
  }),
];

function crd(kind: string, plural: string, properties: Readonly<Record<string, unknown>>): CustomResourceDefinition {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.applier.chaski.dev` },
    spec: {
      group: "applier.chaski.dev",
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: "object", properties } },
        },
      ],
    },
  } as unknown as CustomResourceDefinition;
}
