import type { Problem } from "./problem.ts";
import type { StructuralSchema } from "./structural.ts";

/** Fields that the schema does not have: the API server drops them in silence. */
export function unknownFields(schema: StructuralSchema, value: unknown, path: string): readonly Problem[] {
  if (typeof value !== "object" || value === null || isOpen(schema)) return [];
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.flatMap((item, index) => unknownFields(items, item, `${path}[${index}]`)) : [];
  }
  return Object.entries(value).flatMap(([name, part]) => fieldProblems(schema, { name, part, path }));
}

/** Where anything may be written, the schema says nothing about names. */
function isOpen(schema: StructuralSchema): boolean {
  const isMap = schema.additionalProperties === true;
  return schema["x-kubernetes-preserve-unknown-fields"] === true || isMap;
}

interface Field {
  readonly name: string;
  readonly part: unknown;
  readonly path: string;
}

function fieldProblems(
  { properties, additionalProperties }: StructuralSchema,
  { name, part, path }: Field,
): readonly Problem[] {
  const place = `${path}.${name}`;
  const known = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (known) return unknownFields(known, part, place);
  if (typeof additionalProperties === "object") return unknownFields(additionalProperties, part, `${path}[${name}]`);
  return properties ? [{ path: place, message: unknownMessage(name, Object.keys(properties)) }] : [];
}

function unknownMessage(name: string, known: readonly string[]): string {
  const alike = known.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  const wayOut = alike ? `write ${alike}` : `remove it, or write one of ${known.join(", ")}`;
  return `is no field, and would be dropped in silence: ${wayOut}`;
}
