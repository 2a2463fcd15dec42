import { z } from "zod";

/** JSON Schema as the API server takes it in a CRD. */
export interface StructuralSchema {
  type?: string;
  format?: string;
  description?: string;
  default?: unknown;
  nullable?: boolean;
  properties?: Record<string, StructuralSchema>;
  required?: string[];
  items?: StructuralSchema;
  additionalProperties?: StructuralSchema | boolean;
  enum?: unknown[];
  anyOf?: StructuralSchema[];
  minimum?: number;
  maximum?: number;
  [keyword: string]: unknown;
}

/** The structural schema of a zod type: what zod can say and Kubernetes refuses is left out or said in its way. */
export function structuralSchema(type: z.ZodType): StructuralSchema {
  const schema = z.toJSONSchema(type, { target: "openapi-3.0", io: "input", reused: "inline", unrepresentable: "any" });
  return normalise(schema as StructuralSchema);
}

const REFUSED_KEYWORDS = ["$schema", "propertyNames", "id", "not"];

function normalise(schema: StructuralSchema): StructuralSchema {
  const result: StructuralSchema = { ...schema };
  for (const keyword of REFUSED_KEYWORDS) delete result[keyword];
  if (result["x-kubernetes-preserve-unknown-fields"] === true) return asOpaque(result);
  if (result.anyOf) return asIntOrString(result);
  dropJavaScriptBounds(result);
  normaliseObject(result);
  if (result.items) result.items = normalise(result.items);
  return result;
}

/** An object of a foreign API: kept as it is, checked by those who understand it. */
function asOpaque({ description, ...extensions }: StructuralSchema): StructuralSchema {
  const kept = Object.entries(extensions).filter(([keyword]) => keyword.startsWith("x-kubernetes-"));
  const type = extensions.type === "array" ? {} : { type: "object" };
  return { ...type, ...(description === undefined ? {} : { description }), ...Object.fromEntries(kept) };
}

function asIntOrString({ anyOf, type: _type, ...rest }: StructuralSchema): StructuralSchema {
  const types = anyOf?.map((branch) => branch.type).toSorted();
  if (types?.join() !== "integer,string") throw new Error(`a union that a CRD can't express: ${JSON.stringify(anyOf)}`);
  return { ...rest, anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true };
}

/** zod bounds every integer by what a JavaScript number can hold; Kubernetes' bound is the format. */
function dropJavaScriptBounds(schema: StructuralSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

function normaliseObject(schema: StructuralSchema): void {
  const { additionalProperties } = schema;
  if (typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0) {
    schema.additionalProperties = normalise(additionalProperties);
  } else delete schema.additionalProperties;
  if (!schema.properties) return;
  const properties = Object.entries(schema.properties).toSorted(([a], [b]) => (a < b ? -1 : 1));
  schema.properties = Object.fromEntries(properties.map(([name, property]) => [name, normalise(property)]));
}
