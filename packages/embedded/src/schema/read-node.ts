import { isObject, type JsonObject } from "./json.ts";
import type { CelRule, SchemaNode, SchemaType } from "./schema-node.ts";

type Writable<T> = { -readonly [K in keyof T]: T[K] };
export type MutableNode = Writable<SchemaNode>;

/** Called for every schema below; resolves references where there are any. */
export type ReadChild = (json: JsonObject) => SchemaNode;

type Read = (json: JsonObject, node: MutableNode, child: ReadChild) => void;

/** The value, if JSON has one there of the right form. */
function copied(from: string, to: keyof MutableNode, isValid: (value: unknown) => boolean): Read {
  return (json, node) => {
    const value = json[from];
    if (value !== undefined && isValid(value)) Object.assign(node, { [to]: value });
  };
}

const isText = (value: unknown) => typeof value === "string" && value !== "";
const isTrue = (value: unknown) => value === true;
const isNumeric = (value: unknown) => typeof value === "number";
const isList = (value: unknown) => Array.isArray(value);

const types = new Set<unknown>(["object", "array", "string", "integer", "number", "boolean"]);

function listed(from: "allOf" | "anyOf" | "oneOf"): Read {
  return (json, node, child) => {
    const schemas = json[from];
    if (Array.isArray(schemas) && schemas.length > 0) node[from] = schemas.filter(isObject).map(child);
  };
}

const readers: readonly Read[] = [
  copied("type", "type", (value) => types.has(value)),
  copied("format", "format", isText),
  copied("x-kubernetes-list-type", "listType", isText),
  copied("x-kubernetes-list-map-keys", "listMapKeys", isList),
  copied("x-kubernetes-map-type", "mapType", isText),
  copied("x-kubernetes-patch-merge-key", "patchMergeKey", isText),
  copied("x-kubernetes-int-or-string", "isIntOrString", isTrue),
  copied("x-kubernetes-preserve-unknown-fields", "preservesUnknown", isTrue),
  copied("x-kubernetes-embedded-resource", "isEmbeddedResource", isTrue),
  copied("nullable", "isNullable", isTrue),
  copied("default", "default", (value) => value !== null),
  copied("enum", "enum", isList),
  copied("minimum", "minimum", isNumeric),
  copied("maximum", "maximum", isNumeric),
  copied("exclusiveMinimum", "isMinimumExclusive", isTrue),
  copied("exclusiveMaximum", "isMaximumExclusive", isTrue),
  copied("multipleOf", "multipleOf", isNumeric),
  copied("minLength", "minLength", isNumeric),
  copied("maxLength", "maxLength", isNumeric),
  copied("pattern", "pattern", isText),
  copied("minItems", "minItems", isNumeric),
  copied("maxItems", "maxItems", isNumeric),
  copied("uniqueItems", "hasUniqueItems", isTrue),
  copied("minProperties", "minProperties", isNumeric),
  copied("maxProperties", "maxProperties", isNumeric),
  copied("required", "required", isList),
  listed("allOf"),
  listed("anyOf"),
  listed("oneOf"),
  (json, node) => {
    const strategy = json["x-kubernetes-patch-strategy"];
    if (typeof strategy === "string") node.patchStrategy = strategy.split(",");
  },
  (json, node) => {
    const rules = json["x-kubernetes-validations"];
    if (Array.isArray(rules)) node.rules = rules as CelRule[];
  },
  (json, node, child) => {
    if (!isObject(json["properties"])) return;
    const fields = Object.entries(json["properties"]);
    node.properties = new Map(fields.flatMap(([name, schema]) => (isObject(schema) ? [[name, child(schema)]] : [])));
  },
  (json, node, child) => {
    if (isObject(json["items"])) node.items = child(json["items"]);
  },
  (json, node, child) => {
    if (isObject(json["not"])) node.not = child(json["not"]);
  },
  (json, node, child) => {
    const rest = json["additionalProperties"];
    if (isObject(rest)) node.additionalProperties = child(rest);
    else if (typeof rest === "boolean") node.additionalProperties = rest;
  },
];

export function readInto(node: MutableNode, json: JsonObject, child: ReadChild): void {
  for (const read of readers) read(json, node, child);
}

export function typeNode(type: SchemaType): SchemaNode {
  return { type };
}
