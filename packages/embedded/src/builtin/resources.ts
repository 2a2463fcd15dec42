// The built-in resources, from the generated data; what a kind does differently comes from its strategy.
import { STRATEGIES } from "./strategies.ts";
import { cellsOf } from "../printing/cells.ts";
import { selectableFieldsOf } from "./selectable-fields.ts";
import { convertersOf } from "./events.ts";
import { type Decoded, decodeObject } from "../codec/go-decode.ts";
import { type GoType, GoTypes, type OpenApiSchemas } from "../codec/go-type.ts";
import { openEnvelope, readMessage } from "../codec/protobuf.ts";
import columns from "../generated/columns.json" with { type: "json" };
import resources from "../generated/resources.json" with { type: "json" };
import schemas from "../generated/schemas.json" with { type: "json" };
import { type JsonObject, openApiReader, type SchemaNode } from "../schema/index.ts";
import {
  apiVersionOf,
  type Column,
  type GroupVersionKind,
  type Resource,
  type Subresource,
} from "../registry/resource.ts";
import type { Strategy } from "../registry/strategy.ts";

interface GeneratedResource extends GroupVersionKind {
  readonly bodyKind?: GroupVersionKind;
  readonly plural: string;
  readonly subresource?: string;
  readonly singular: string;
  readonly isNamespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

const SCHEMAS = schemas as unknown as OpenApiSchemas;
const RESOURCES: Readonly<Record<string, GeneratedResource>> = resources;
const COLUMNS = columns as unknown as Readonly<Record<string, readonly Column[]>>;

const goTypes = new GoTypes(SCHEMAS);
const readSchema = openApiReader(schemas);
const schemaNames = indexSchemaNames();

export function builtinResources(): Resource[] {
  return Object.entries(RESOURCES)
    .filter(([, { subresource }]) => subresource === undefined)
    .map(([key, generated]) => builtinResource(key, generated));
}

/** Reads the body of a built-in kind that is no resource of its own: Scale, DeleteOptions, Eviction. */
export function decodeKind({ group, version, kind }: GroupVersionKind, value: JsonObject): Decoded {
  return decodeObject(goTypes.named(schemaNameOf(group, version, kind)), value);
}

/** A body in protobuf as JSON text; undefined when it is no built-in object. */
export function protobufToJson(bytes: Buffer): string | undefined {
  const envelope = openEnvelope(bytes);
  if (!envelope) return undefined;
  const { apiVersion, kind, message } = envelope;
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  const name = schemaNames.get(kind === "DeleteOptions" ? "/v1/DeleteOptions" : `${group}/${version}/${kind}`);
  if (name === undefined) return undefined;
  return JSON.stringify({ ...readMessage(goTypes.named(name), message), apiVersion, kind });
}

export function openApiSchemas(): OpenApiSchemas {
  return SCHEMAS;
}

const OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

export function objectMetaType(): GoType {
  return goTypes.named(OBJECT_META);
}

export function objectMetaSchema(): SchemaNode {
  return readSchema(OBJECT_META) ?? {};
}

function builtinResource(key: string, generated: GeneratedResource): Resource {
  const { group, version, kind, plural } = generated;
  const strategy: Strategy = STRATEGIES[`${group}/${kind}`] ?? {};
  // Most kinds are never asked for in the life of a cluster.
  const type = once(() => goTypes.named(schemaNameOf(group, version, kind)));
  const schema = once(() => schemaOf(group, version, kind));
  const empty = once(
    (): JsonObject => ({ ...decodeObject(type(), {}).object, kind, apiVersion: apiVersionOf({ group, version }) }),
  );
  return {
    group,
    version,
    kind,
    plural,
    singular: generated.singular,
    listKind: `${kind}List`,
    isNamespaced: generated.isNamespaced,
    verbs: generated.verbs,
    shortNames: generated.shortNames ?? [],
    categories: generated.categories ?? [],
    ...(generated.storageVersionHash && { storageVersionHash: generated.storageVersionHash }),
    subresources: subresourcesOf(generated),
    collection: kind === "Event" ? "events" : `${group}/${plural}`,
    get schema() {
      return schema();
    },
    strategy,
    isCustom: false,
    get empty() {
      return empty();
    },
    decode: (value) => {
      const decoded = decodeObject(type(), value);
      strategy.setDefaults?.(decoded.object, value);
      return decoded;
    },
    ...convertersOf(group, kind),
    selectableFields: selectableFieldsOf(group, kind),
    columns: COLUMNS[key] ?? [],
    cells: cellsOf(group, kind),
    ...(["Deployment", "ReplicaSet"].includes(kind) && { scalePaths: WORKLOAD_SCALE }),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

const WORKLOAD_SCALE = {
  specReplicas: ["spec", "replicas"],
  statusReplicas: ["status", "replicas"],
  selector: ["spec", "selector"],
};

function subresourcesOf({ group, version, plural }: GeneratedResource): ReadonlyMap<string, Subresource> {
  const own = Object.values(RESOURCES).filter(
    (other) => other.subresource && other.group === group && other.version === version && other.plural === plural,
  );
  return new Map(
    own.map(({ subresource = "", kind, bodyKind, verbs }) => [
      subresource,
      { name: subresource, kind: bodyKind ?? { group, version, kind }, verbs },
    ]),
  );
}

export function schemaOf(group: string, version: string, kind: string): SchemaNode {
  return readSchema(schemaNameOf(group, version, kind)) ?? {};
}

function schemaNameOf(group: string, version: string, kind: string): string {
  const name = schemaNames.get(`${group}/${version}/${kind}`);
  if (name === undefined) throw new Error(`no schema of ${kind} in ${group}/${version}`);
  return name;
}

function indexSchemaNames(): ReadonlyMap<string, string> {
  // DeleteOptions is of every group; requests name it as the core group does.
  const names = new Map([["/v1/DeleteOptions", "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"]]);
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    const kinds = (schema as { "x-kubernetes-group-version-kind"?: GroupVersionKind[] })[
      "x-kubernetes-group-version-kind"
    ];
    for (const { group, version, kind } of kinds ?? []) names.set(`${group}/${version}/${kind}`, name);
  }
  return names;
}
