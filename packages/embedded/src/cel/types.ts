import type { Environment } from "@marcbachmann/cel-js";
import { Duration } from "@marcbachmann/cel-js/evaluator";
import { isObject, type JsonObject, own } from "../schema/json.ts";
import type { SchemaNode } from "../schema/schema-node.ts";
import { asUnordered, equalValues } from "./equality.ts";
import { escapeName } from "./names.ts";
import { parseDuration } from "./time.ts";

/** How expressions see values of a schema. */
export interface CelType {
  /** The type's name in the environment. */
  readonly name: string;
  readonly convert: (value: unknown) => unknown;
}

/** A JSON value of unknown type. */
export const dynamic: CelType = { name: "dyn", convert: convertDynamic };

function convertDynamic(value: unknown): unknown {
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(convertDynamic);
  if (isObject(value)) return new Map(Object.entries(value).map(([key, field]) => [key, convertDynamic(field)]));
  return value ?? null;
}

const text: CelType = { name: "string", convert: (value) => value };
const scalars: Readonly<Record<string, CelType>> = {
  boolean: { name: "bool", convert: (value) => value },
  integer: { name: "int", convert: (value) => (typeof value === "number" ? BigInt(value) : value) },
  number: { name: "double", convert: Number },
};
const formats: Readonly<Record<string, CelType>> = {
  byte: { name: "bytes", convert: (value) => new Uint8Array(Buffer.from(String(value), "base64")) },
  duration: { name: "google.protobuf.Duration", convert: (value) => parseDuration(String(value)) ?? new Duration(0n) },
  date: { name: "google.protobuf.Timestamp", convert: (value) => new Date(`${String(value)}T00:00:00Z`) },
  "date-time": { name: "google.protobuf.Timestamp", convert: (value) => new Date(String(value)) },
};

/** Reads the types of a schema into an environment. */
export class TypeReader {
  readonly #environment: Environment;
  readonly #known = new Map<SchemaNode, CelType | undefined>();
  #count = 0;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Undefined: expressions can't see values of the schema. */
  read(schema: SchemaNode): CelType | undefined {
    if (!this.#known.has(schema)) this.#known.set(schema, this.#readNew(schema));
    return this.#known.get(schema);
  }

  #readNew(schema: SchemaNode): CelType | undefined {
    if (schema.isIntOrString === true) return dynamic;
    if (schema.type === "array") return this.#readList(schema);
    if (schema.type === "object") return this.#readObject(schema);
    if (schema.type === "string") return formats[schema.format ?? ""] ?? text;
    return schema.type === undefined ? undefined : scalars[schema.type];
  }

  #readList(schema: SchemaNode): CelType | undefined {
    const items = schema.items && this.read(schema.items);
    if (items === undefined) return undefined;
    const isUnordered = schema.listType === "set" || schema.listType === "map";
    const convert = (value: unknown) => {
      const list = Array.isArray(value) ? value.map(items.convert) : [];
      return isUnordered ? asUnordered(list) : list;
    };
    return { name: `list<${items.name}>`, convert };
  }

  #readObject(schema: SchemaNode): CelType | undefined {
    const rest = schema.additionalProperties;
    if (typeof rest !== "object") return this.#readStruct(schema);
    const values = this.read(rest);
    if (values === undefined) return undefined;
    const convert = (value: unknown) =>
      new Map(Object.entries(isObject(value) ? value : {}).map(([key, field]) => [key, values.convert(field)]));
    return { name: `map<string, ${values.name}>`, convert };
  }

  #readStruct(schema: SchemaNode): CelType {
    const fields: { key: string; name: string; type: CelType }[] = [];
    for (const [key, property] of propertiesOf(schema)) {
      const name = escapeName(key);
      const type = this.read(property);
      if (name !== undefined && type !== undefined) fields.push({ key, name, type });
    }
    const Struct = class extends Map<string, unknown> {};
    const name = `Object${++this.#count}`;
    const fieldTypes = Object.fromEntries(fields.map((field) => [field.name, field.type.name]));
    this.#environment.registerType(name, { ctor: Struct, fields: fieldTypes });
    this.#environment.registerOperator(`${name} == ${name}`, equalValues);
    const convert = (value: unknown) => {
      const object: JsonObject = isObject(value) ? value : {};
      const struct = new Struct();
      for (const field of fields) {
        const present = own(object, field.key);
        if (present !== undefined && present !== null) struct.set(field.name, field.type.convert(present));
      }
      return struct;
    };
    return { name, convert };
  }
}

/** A resource always has its kind and name. */
function propertiesOf(schema: SchemaNode): ReadonlyMap<string, SchemaNode> {
  const properties = schema.properties ?? new Map<string, SchemaNode>();
  if (schema.isEmbeddedResource !== true) return properties;
  const string: SchemaNode = { type: "string" };
  const names = new Map([
    ["name", string],
    ["generateName", string],
  ]);
  return new Map([
    ...properties,
    ["apiVersion", string],
    ["kind", string],
    ["metadata", { type: "object", properties: names }],
  ]);
}
