import type { JsonObject } from "./json.ts";
import { type MutableNode, readInto, typeNode } from "./read-node.ts";
import type { SchemaNode } from "./schema-node.ts";

/** The schema of one version of a custom resource. */
export interface CustomResourceSchema {
  /** As its author wrote it: for validate, applyDefaults and CEL rules. */
  readonly structural: SchemaNode;
  /** With the server's own apiVersion, kind and metadata in every resource: for prune and merging. */
  readonly object: SchemaNode;
}

/** `objectMeta` is the built-in type of metadata. Without a schema any object is accepted and nothing is pruned. */
export function readStructural(openApiV3Schema: JsonObject | undefined, objectMeta: SchemaNode): CustomResourceSchema {
  const json = openApiV3Schema ?? { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const structural = readSchema(json);
  return { structural, object: withMetadata({ ...structural, isEmbeddedResource: true }, objectMeta) };
}

export function readSchema(json: JsonObject): SchemaNode {
  const node: MutableNode = {};
  readInto(node, json, readSchema);
  return node;
}

/** The same node if no resource is embedded in it. */
function withMetadata(node: SchemaNode, objectMeta: SchemaNode): SchemaNode {
  const changed: MutableNode = {};
  const below = (child: SchemaNode) => withMetadata(child, objectMeta);
  const fields = [...(node.properties ?? [])].map(([name, child]) => [name, below(child)] as const);
  if (fields.some(([name, child]) => child !== node.properties?.get(name))) changed.properties = new Map(fields);
  if (node.isEmbeddedResource === true) changed.properties = new Map([...fields, ...resourceFields(objectMeta)]);
  if (node.items !== undefined && below(node.items) !== node.items) changed.items = below(node.items);
  const rest = node.additionalProperties;
  if (typeof rest === "object" && below(rest) !== rest) changed.additionalProperties = below(rest);
  return Object.keys(changed).length === 0 ? node : { ...node, ...changed };
}

function resourceFields(objectMeta: SchemaNode): [string, SchemaNode][] {
  return [
    ["apiVersion", typeNode("string")],
    ["kind", typeNode("string")],
    ["metadata", objectMeta],
  ];
}
