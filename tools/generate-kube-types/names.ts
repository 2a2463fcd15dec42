import { type BuiltInKind } from "./kinds.ts";

/** Schemas that are not generated: what TypeScript says instead. Those in capitals come from object.ts. */
export const givenTypes: Readonly<Record<string, string>> = {
  "io.k8s.apimachinery.pkg.api.resource.Quantity": "string",
  "io.k8s.apimachinery.pkg.apis.meta.v1.Condition": "Condition",
  "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1": "Readonly<Record<string, unknown>>",
  "io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry": "ManagedFieldsEntry",
  "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime": "string",
  "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": "Partial<ObjectMeta>",
  "io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference": "OwnerReference",
  "io.k8s.apimachinery.pkg.apis.meta.v1.Time": "string",
  "io.k8s.apimachinery.pkg.runtime.RawExtension": "Readonly<Record<string, unknown>>",
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString": "number | string",
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON": "unknown",
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray":
    "JSONSchemaProps | readonly JSONSchemaProps[]",
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool": "JSONSchemaProps | boolean",
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray":
    "JSONSchemaProps | readonly string[]",
};

/** Where the last word alone would be misread. */
const chosenNames: Readonly<Record<string, string>> = {
  "io.k8s.api.core.v1.Event": "CoreEvent",
  "io.k8s.api.events.v1.Event": "Event",
};

/** TypeScript's name of each schema: its last word, with the group before it where two groups share the word. */
export function nameSchemas(schemas: readonly string[]): ReadonlyMap<string, string> {
  const byWord = Map.groupBy(schemas, lastWord);
  return new Map(
    schemas.map((schema) => {
      const isShared = (byWord.get(lastWord(schema))?.length ?? 0) > 1;
      return [schema, chosenNames[schema] ?? (isShared ? groupWord(schema) : "") + lastWord(schema)];
    }),
  );
}

/** The file that holds the schema: the group, or `meta`. */
export function groupOf(schema: string): string {
  return schema.split(".").at(-3) ?? "";
}

/** The constant in kinds.ts: kinds are named as their types are. */
export function constantName({ schema, kind }: BuiltInKind, names: ReadonlyMap<string, string>): string {
  return names.get(schema) ?? kind;
}

function lastWord(schema: string): string {
  return schema.slice(schema.lastIndexOf(".") + 1);
}

function groupWord(schema: string): string {
  const group = groupOf(schema);
  return group.charAt(0).toUpperCase() + group.slice(1);
}
