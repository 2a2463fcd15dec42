// OpenAPI v3, as much as clients read: the types, and which operations take which parameters.
import { createHash } from "node:crypto";
import type { OpenApiSchemas } from "../codec/go-type.ts";
import { openApiSchemas } from "../builtin/resources.ts";
import type { Registry } from "../registry/registry.ts";
import type { Resource } from "../registry/resource.ts";

const REF = "#/components/schemas/";
const OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/** `/openapi/v3`: where the document of each group and version is. */
export function openApiIndex(registry: Registry): object {
  const paths: Record<string, object> = {};
  for (const { group, version } of registry.all()) {
    const path = rootOf(group, version).slice(1);
    const hash = createHash("sha512").update(`${path} ${registry.revision}`).digest("hex").toUpperCase();
    paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` };
  }
  return { paths };
}

/** Undefined: no such group and version. */
export function openApiDocument(registry: Registry, path: string): object | undefined {
  const resources = registry.all().filter(({ group, version }) => rootOf(group, version) === `/${path}`);
  if (resources.length === 0) return undefined;
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: "v1.35.4" },
    paths: Object.assign({}, ...resources.map(pathsOf)),
    components: { schemas: schemasOf(resources) },
  };
}

function rootOf(group: string, version: string): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}

const WRITE_PARAMETERS = ["dryRun", "fieldManager", "fieldValidation"];

function pathsOf(resource: Resource): Record<string, object> {
  const { group, version, plural, isNamespaced, kind, verbs } = resource;
  const gvk = { group, version, kind };
  const collection = `${rootOf(group, version)}${isNamespaced ? "/namespaces/{namespace}" : ""}/${plural}`;
  const operation = (action: string, parameters: readonly string[] = []): object => ({
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": gvk,
    parameters: parameters.map((name) => ({ name, in: "query", schema: { type: "string", uniqueItems: true } })),
    responses: { 200: { description: "OK" } },
  });
  return {
    [collection]: {
      ...(verbs.includes("list") && { get: operation("list") }),
      ...(verbs.includes("create") && { post: operation("post", WRITE_PARAMETERS) }),
    },
    ...(verbs.includes("get") && {
      [`${collection}/{name}`]: {
        get: operation("get"),
        put: operation("put", WRITE_PARAMETERS),
        patch: operation("patch", [...WRITE_PARAMETERS, "force"]),
        delete: operation("delete", ["dryRun"]),
      },
    }),
  };
}

function schemasOf(resources: readonly Resource[]): Record<string, unknown> {
  const all = openApiSchemas();
  const custom = resources.filter(({ openApi }) => openApi !== undefined);
  const own = Object.fromEntries(custom.map((resource) => [customName(resource), customSchema(resource)]));
  const roots = custom.length > 0 ? [OBJECT_META] : namesOf(all, resources);
  const reached = reach(all, roots);
  return { ...Object.fromEntries([...reached].map((name) => [name, withoutGo(all[name])])), ...own };
}

function namesOf(all: OpenApiSchemas, resources: readonly Resource[]): string[] {
  const wanted = new Set(resources.map(({ group, version, kind }) => `${group}/${version}/${kind}`));
  return Object.entries(all).flatMap(([name, schema]) => {
    const kinds = (schema as { "x-kubernetes-group-version-kind"?: Resource[] })["x-kubernetes-group-version-kind"];
    return kinds?.some(({ group, version, kind }) => wanted.has(`${group}/${version}/${kind}`)) ? [name] : [];
  });
}

function reach(all: OpenApiSchemas, roots: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const queue = [...roots];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    for (const [, target] of JSON.stringify(all[name]).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      if (target) queue.push(target);
  }
  return reached;
}

/** Reversed group, version, kind: `com.example.v1.Widget`. */
function customName({ group, version, kind }: Resource): string {
  return `${group.split(".").toReversed().join(".")}.${version}.${kind}`;
}

function customSchema({ openApi, group, version, kind }: Resource): object {
  const properties = openApi?.["properties"] ?? {};
  return {
    ...openApi,
    properties: {
      ...properties,
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { allOf: [{ $ref: `${REF}${OBJECT_META}` }] },
    },
    "x-kubernetes-group-version-kind": [{ group, version, kind }],
  };
}

/** Siblings of a reference count only beside `allOf`; the Go flags are ours alone. */
function withoutGo(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutGo);
  if (typeof value !== "object" || value === null) return value;
  const { "x-go": _go, $ref, ...rest } = value as Record<string, unknown>;
  const children = Object.fromEntries(Object.entries(rest).map(([key, child]) => [key, withoutGo(child)]));
  if (typeof $ref !== "string") return $ref === undefined ? children : { ...children, $ref: withoutGo($ref) };
  return Object.keys(children).length === 0 ? { $ref } : { allOf: [{ $ref }], ...children };
}
