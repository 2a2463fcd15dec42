import { textAt } from "../builtin/selectable-fields.ts";
import { badRequest } from "../errors/api-error.ts";
import { apiVersionOf, type Resource } from "../registry/resource.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Matcher } from "./labels.ts";

interface Term {
  readonly field: string;
  readonly isEqual: boolean;
  readonly value: string;
}

export function parseFieldSelector(text: string, resource: Resource): Matcher | undefined {
  const terms = splitTerms(text).map((part) => parseTerm(part, text));
  if (terms.length === 0) return undefined;
  const checks = terms.map(({ field, isEqual, value }) => {
    const read = readerOf(field, resource);
    return (object: JsonObject) => (read(object) === value) === isEqual;
  });
  return (object) => checks.every((holds) => holds(object));
}

/** The one name that the selector allows, if it does: `kubectl get -w pod x` and informers of one object. */
export function nameInFieldSelector(text: string): string | undefined {
  return splitTerms(text)
    .map((part) => parseTerm(part, text))
    .find(({ field, isEqual }) => field === "metadata.name" && isEqual)?.value;
}

/** At commas that no backslash precedes. */
function splitTerms(text: string): string[] {
  return text.split(/(?<!\\),/).filter((part) => part !== "");
}

function parseTerm(part: string, whole: string): Term {
  const match = /^([^=!]*)(!=|==|=)(.*)$/s.exec(part);
  if (!match) throw badRequest(`invalid selector: '${whole}'; can't understand '${part}'`);
  const [, field = "", operator = "", value = ""] = match;
  return { field, isEqual: operator !== "!=", value: value.replaceAll(/\\([\\,=])/g, "$1") };
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
