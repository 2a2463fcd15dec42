import type { JsonObject } from "../schema/json.ts";
import { object, type Schema, string } from "./schema.ts";

export interface Definition {
  readonly group: string;
  readonly kind: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** The first is the one that is stored. */
  readonly versions: readonly [string, ...string[]];
  readonly spec: Schema;
  readonly isSpecRequired?: boolean;
  /** A kind without one has no status subresource. */
  readonly status?: Schema;
  /** `[name, type, jsonPath, priority?]` */
  readonly columns?: readonly (readonly [string, string, string, number?])[];
}

export const AGE = ["Age", "date", ".metadata.creationTimestamp"] as const;

/** Kubernetes' own groups want it said who approved of an API. */
const UNAPPROVED = { "api-approved.kubernetes.io": "unapproved, a definition for tests" };

export function crdOf(definition: Definition): JsonObject {
  const { group, kind, shortNames, categories, versions } = definition;
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, ...(group.endsWith(".k8s.io") && { annotations: UNAPPROVED }) },
    spec: {
      group,
      scope: "Namespaced",
      names: {
        plural,
        singular,
        kind,
        listKind: `${kind}List`,
        ...(shortNames && { shortNames }),
        ...(categories && { categories }),
      },
      versions: versions.map((name, index) => ({ name, served: true, storage: index === 0, ...versionOf(definition) })),
    },
  };
}

function versionOf({ spec, isSpecRequired, status, columns }: Definition): JsonObject {
  const properties = {
    apiVersion: string,
    kind: string,
    metadata: { type: "object" },
    spec,
    ...(status && { status }),
  };
  return {
    schema: { openAPIV3Schema: object(properties, isSpecRequired === true ? { required: ["spec"] } : {}) },
    ...(status && { subresources: { status: {} } }),
    ...(columns && {
      additionalPrinterColumns: columns.map(([name, type, jsonPath, priority]) => ({
        name,
        type,
        jsonPath,
        ...(priority !== undefined && { priority }),
      })),
    }),
  };
}
