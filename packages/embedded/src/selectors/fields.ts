import { matchesFields, parseFieldSelector as parse } from "@chaski/kube";
import { textAt } from "../builtin/selectable-fields.ts";
import { badRequest } from "../errors/api-error.ts";
import { apiVersionOf, type Resource } from "../registry/resource.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Matcher } from "./labels.ts";

/** Undefined: everything matches. */
export function parseFieldSelector(text: string, resource: Resource): Matcher | undefined {
  const parsed = parse(text);
  if (!parsed.ok) throw badRequest(parsed.problem);
  if (parsed.value.length === 0) return undefined;
  const readers = new Map(parsed.value.map(({ field }) => [field, readerOf(field, resource)]));
  return (object) => matchesFields(parsed.value, (field) => readers.get(field)?.(object));
}

function readerOf(field: string, resource: Resource): (object: JsonObject) => string {
  if (field === "metadata.name" || (field === "metadata.namespace" && (resource.isNamespaced || !resource.isCustom)))
    return (object) => textAt(object, field.split("."));
  const reader = resource.selectableFields.get(field);
  if (reader) return reader;
  const known = `${apiVersionOf(resource)}, Kind=${resource.kind}`;
  throw badRequest(
    resource.isCustom
      ? `field label not supported: ${field}`
      : `Unable to find ${JSON.stringify(known)} that match label selector "", field selector ${JSON.stringify(`${field}=`)}: field label not supported: ${field}`,
  );
}
