import { type ResourceDefinition, type StructuralSchema, structuralSchema } from "@chaski/api";
import type { z } from "zod";

/** The fields of a kind as a page, from its schema. */
export function apiReference({
  kind,
  group,
  version,
  description,
  spec,
  status,
}: ResourceDefinition<z.ZodType, z.ZodType>): string {
  return [
    "<!-- Written by `npm run generate`. Do not edit. -->",
    `# ${kind}`,
    "",
    `\`${group}/${version}\`. ${description}`,
    ...section("spec", structuralSchema(spec)),
    ...section("status", structuralSchema(status)),
    "",
  ].join("\n");
}

function section(title: string, schema: StructuralSchema): string[] {
  const rows = fieldsOf(title, schema);
  return ["", `## ${title}`, "", "| Field | Type | Meaning |", "|---|---|---|", ...rows];
}

function fieldsOf(path: string, { properties = {}, required = [] }: StructuralSchema): string[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const isRequired = required.includes(name) ? ", required" : "";
    const own = `| \`${path}.${name}\` | ${typeOf(field)}${isRequired} | ${field.description ?? ""} |`;
    return [
      own,
      ...fieldsOf(`${path}.${name}`, field),
      ...(field.items ? fieldsOf(`${path}.${name}[]`, field.items) : []),
    ];
  });
}

function typeOf({ type, items, additionalProperties, enum: values, ...rest }: StructuralSchema): string {
  if (values) return values.map((value) => `\`${String(value)}\``).join(", ");
  if (rest["x-kubernetes-int-or-string"]) return "integer or string";
  if (items) return `list of ${typeOf(items)}`;
  if (typeof additionalProperties === "object") return `map of ${typeOf(additionalProperties)}`;
  return type ?? "any";
}
