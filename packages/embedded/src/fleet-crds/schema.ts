// Schemas of custom resources, short enough to be read.

export type Schema = Readonly<Record<string, unknown>>;

export const string: Schema = { type: "string" };
export const boolean: Schema = { type: "boolean" };
export const integer: Schema = { type: "integer" };
export const number: Schema = { type: "number" };
export const int32: Schema = { type: "integer", format: "int32" };
export const int64: Schema = { type: "integer", format: "int64" };
export const uint32: Schema = { type: "integer", minimum: 0, maximum: 4_294_967_295 };
export const dateTime: Schema = { type: "string", format: "date-time" };
export const intOrString: Schema = {
  anyOf: [{ type: "integer" }, { type: "string" }],
  "x-kubernetes-int-or-string": true,
};
export const quantity: Schema = {
  ...intOrString,
  pattern: String.raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`,
};

export function object(properties: Readonly<Record<string, Schema>>, more: Schema = {}): Schema {
  return { type: "object", properties, ...more };
}

export function list(items: Schema, more: Schema = {}): Schema {
  return { type: "array", items, ...more };
}

export function mapOf(values: Schema, more: Schema = {}): Schema {
  return { type: "object", additionalProperties: values, ...more };
}

export const strings = list(string);
export const stringMap = mapOf(string);

export function choice(...values: readonly string[]): Schema {
  return { type: "string", enum: values };
}

export function nullable(schema: Schema): Schema {
  return { ...schema, nullable: true };
}

export function required(...fields: readonly string[]): Schema {
  return { required: fields };
}

/** Of these fields one, or none. */
export function atMostOne(...fields: readonly string[]): Schema {
  const each = fields.map((field) => required(field));
  return { oneOf: [{ not: { anyOf: each } }, ...each] };
}

export function rule(message: string, expression: string): Schema {
  return { message, rule: expression };
}

export function rules(...each: readonly Schema[]): Schema {
  return { "x-kubernetes-validations": each };
}

export function byKey(...keys: readonly string[]): Schema {
  return { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys };
}

export const atomicList: Schema = { "x-kubernetes-list-type": "atomic" };
export const atomicMap: Schema = { "x-kubernetes-map-type": "atomic" };

export const labelSelector = object(
  {
    matchExpressions: list(
      object({ key: string, operator: string, values: list(string, atomicList) }, required("key", "operator")),
      atomicList,
    ),
    matchLabels: stringMap,
  },
  atomicMap,
);
