import { defineKind, type Kind, type KubeObject } from "@chaski/kube";
import type { z } from "zod";
import { structuralSchema } from "./structural.ts";

export interface PrinterColumn {
  readonly name: string;
  readonly type: "string" | "integer" | "date" | "boolean";
  readonly jsonPath: string;
  readonly description?: string;
  /** 0 is always shown, 1 with `-o wide`. */
  readonly priority?: number;
}

export interface CelRule {
  readonly rule: string;
  readonly message: string;
}

/** One kind of ours: the schemas are the one source of its types, CRD, defaults and structural validation. */
export interface ResourceDefinition<Spec extends z.ZodType, Status extends z.ZodType> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly description: string;
  readonly spec: Spec;
  readonly status: Status;
  readonly columns: readonly PrinterColumn[];
  /** Rules over the whole object. */
  readonly rules?: readonly CelRule[];
}

export interface ResourceObject<Spec extends z.ZodType, Status extends z.ZodType> extends KubeObject {
  readonly spec: z.output<Spec>;
  readonly status?: z.output<Status>;
}

export interface Resource<Spec extends z.ZodType, Status extends z.ZodType> extends ResourceDefinition<Spec, Status> {
  readonly of: Kind<ResourceObject<Spec, Status>>;
}

export function defineResource<Spec extends z.ZodType, Status extends z.ZodType>(
  definition: ResourceDefinition<Spec, Status>,
): Resource<Spec, Status> {
  const { group, version, kind, plural } = definition;
  const of = defineKind<ResourceObject<Spec, Status>>({ group, version, kind, plural, isNamespaced: true });
  return Object.freeze({ ...definition, of });
}

/** The CustomResourceDefinition manifest. */
export function crdOf(resource: ResourceDefinition<z.ZodType, z.ZodType>): KubeObject & { readonly spec: unknown } {
  const { group, version, kind, plural, singular, shortNames, categories } = resource;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular,
        ...(shortNames.length > 0 ? { shortNames } : {}),
        ...(categories.length > 0 ? { categories } : {}),
      },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: resource.columns,
          schema: { openAPIV3Schema: objectSchema(resource) },
        },
      ],
    },
  };
}

function objectSchema({ description, spec, status, rules }: ResourceDefinition<z.ZodType, z.ZodType>): unknown {
  return {
    type: "object",
    description,
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { type: "object" },
      spec: structuralSchema(spec),
      status: structuralSchema(status),
    },
    required: ["spec"],
    ...(rules && rules.length > 0 ? { "x-kubernetes-validations": rules } : {}),
  };
}
