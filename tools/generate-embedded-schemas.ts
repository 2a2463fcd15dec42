// The schemas of the served kinds and all that they refer to, from the real server's OpenAPI v3 documents: structure
// without prose, with the Go types' JSON rules beside each property as `x-go`.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ServedResource } from "./generate-embedded-discovery.ts";
import type { GoTypes } from "./generate-embedded-go.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Schema = { [key: string]: Json };

const DOCUMENTS_BESIDE_THE_SERVED = ["apis__autoscaling__v1", "apis__policy__v1", "apis__authentication.k8s.io__v1"];
/** Bodies that no discovery entry of ours names. */
const EXTRA_ROOTS = [
  "io.k8s.api.autoscaling.v1.Scale",
  "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions",
  "io.k8s.apimachinery.pkg.apis.meta.v1.Status",
];

export interface SchemaSources {
  readonly folder: string;
  readonly resources: Readonly<Record<string, ServedResource>>;
  readonly goTypes: GoTypes;
}

export async function readSchemas({ folder, resources, goTypes }: SchemaSources): Promise<Record<string, Schema>> {
  const all = await readDocuments(folder, resources);
  const roots = [...EXTRA_ROOTS, ...rootsOf(all, resources)];
  const reached = reach(all, roots);
  const trimmed: Record<string, Schema> = {};
  for (const name of reached) {
    const schema = trim(all[name] ?? {}) as Schema;
    const flags = await goTypes.flagsOf(name);
    if (flags) markProperties(name, schema, flags);
    trimmed[name] = schema;
  }
  return trimmed;
}

async function readDocuments(
  folder: string,
  resources: Readonly<Record<string, ServedResource>>,
): Promise<Record<string, Schema>> {
  const served = Object.values(resources).map(({ group, version }) =>
    group === "" ? `api__${version}` : `apis__${group}__${version}`,
  );
  const schemas: Record<string, Schema> = {};
  for (const document of new Set([...served, ...DOCUMENTS_BESIDE_THE_SERVED])) {
    const text = await readFile(join(folder, `${document}_openapi.json`), "utf8");
    const { components } = JSON.parse(text) as { components: { schemas: Record<string, Schema> } };
    Object.assign(schemas, components.schemas);
  }
  return schemas;
}

function rootsOf(all: Record<string, Schema>, resources: Readonly<Record<string, ServedResource>>): string[] {
  const wanted = new Set(
    Object.values(resources).flatMap(({ group, version, kind, bodyKind }) => {
      const own = `${group}/${version}/${kind}`;
      const body = bodyKind ? `${bodyKind.group}/${bodyKind.version}/${bodyKind.kind}` : own;
      return [own, `${own}List`, body];
    }),
  );
  return Object.keys(all).filter((name) => {
    const kinds = (all[name]?.["x-kubernetes-group-version-kind"] ?? []) as Record<string, string>[];
    return kinds.length === 1 && kinds.some(({ group, version, kind }) => wanted.has(`${group}/${version}/${kind}`));
  });
}

function reach(all: Record<string, Schema>, roots: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const queue = [...roots];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    const refs = JSON.stringify(all[name] ?? {}).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g);
    for (const [, target] of refs) if (target) queue.push(target);
  }
  return reached;
}

/** No prose; `allOf` with one reference, which OpenAPI needs beside siblings, becomes the reference. */
function trim(value: Json): Json {
  if (Array.isArray(value)) return value.map(trim);
  if (value === null || typeof value !== "object") return value;
  const trimmed: Schema = {};
  for (const [key, child] of Object.entries(value)) {
    if (isLeftOut(key, child)) continue;
    if (key === "allOf" && Array.isArray(child) && child.length === 1) Object.assign(trimmed, trim(child[0] ?? {}));
    else trimmed[key] = trim(child);
  }
  return trimmed;
}

function isLeftOut(key: string, child: Json): boolean {
  const isOfEveryGroup = key === "x-kubernetes-group-version-kind" && Array.isArray(child) && child.length > 1;
  return isOfEveryGroup || (key === "description" && typeof child === "string");
}

function markProperties(name: string, schema: Schema, flags: Readonly<Record<string, string>>): void {
  const properties = (schema["properties"] ?? {}) as Record<string, Schema>;
  for (const [property, node] of Object.entries(properties)) {
    const known = flags[property];
    if (known === undefined && !["apiVersion", "kind"].includes(property))
      throw new Error(`${name}.${property} has no field in the Go types`);
    node["x-go"] = known ?? "e";
  }
}
