import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The part of an OpenAPI v3 schema that Kubernetes' own documents use. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object";
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly "x-kubernetes-list-type"?: "map" | "set" | "atomic";
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: "atomic" | "granular";
  readonly "x-kubernetes-patch-strategy"?: string;
  readonly "x-kubernetes-patch-merge-key"?: string;
}

export type Schemas = ReadonlyMap<string, Schema>;

/** All schemas of the named API groups, by their full names (`io.k8s.api.apps.v1.Deployment`). */
export function readSchemas(kubernetesVersion: string, groupVersions: ReadonlySet<string>): Schemas {
  const folder = join(moduleFolder(`k8s.io/kubernetes@${kubernetesVersion}`), "api/openapi-spec/v3");
  return new Map([...groupVersions].flatMap((groupVersion) => schemasOf(folder, groupVersion)));
}

function moduleFolder(module: string): string {
  const answer: unknown = JSON.parse(execFileSync("go", ["mod", "download", "-json", module], { encoding: "utf8" }));
  if (typeof answer !== "object" || answer === null || !("Dir" in answer)) throw new Error(`go has no ${module}`);
  return String(answer.Dir);
}

function schemasOf(folder: string, groupVersion: string): [string, Schema][] {
  const file = groupVersion === "v1" ? "api__v1" : `apis__${groupVersion.replace("/", "__")}`;
  const document = JSON.parse(readFileSync(join(folder, `${file}_openapi.json`), "utf8")) as {
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  };
  return Object.entries(document.components.schemas);
}

/** The full name of the schema that this one refers to, directly or in the one-element allOf that carries a default. */
export function referenceOf(schema: Schema): string | undefined {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  return reference?.slice("#/components/schemas/".length);
}

/** The schemas that fields, items and values of this one refer to. */
export function referencesOf(schema: Schema): string[] {
  const parts = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties];
  const deeper = parts.filter((part) => part !== undefined).flatMap(referencesOf);
  const own = referenceOf(schema);
  return own === undefined ? deeper : [own, ...deeper];
}
