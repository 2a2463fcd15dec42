// Field selectors: `metadata.name=web,status.phase!=Running`, with `\` before a comma, an equals sign or itself.
import { bad, good, type Result } from "./result.ts";

export interface FieldRequirement {
  readonly field: string;
  readonly isEqual: boolean;
  readonly value: string;
}

export function parseFieldSelector(text: string): Result<readonly FieldRequirement[]> {
  const terms = (text.match(/(?:\\.|[^,\\]|\\$)+/gs) ?? []).toSorted();
  const requirements: FieldRequirement[] = [];
  for (const term of terms) {
    const requirement = parseTerm(term);
    if (requirement === undefined) return bad(`invalid selector: '${text}'; can't understand '${term}'`);
    // Kubernetes takes a bare `=` for no requirement at all.
    if (requirement.field !== "" || requirement.value !== "") requirements.push(requirement);
  }
  return good(requirements);
}

export function formatFieldSelector(requirements: readonly FieldRequirement[]): string {
  return requirements
    .map(
      ({ field, isEqual, value }) => `${field}${isEqual ? "=" : "!="}${value.replaceAll(/[\\,=]/g, String.raw`\$&`)}`,
    )
    .join(",");
}

/** Fields that the object lacks are empty, as they are for Kubernetes. */
export function matchesFields(
  requirements: readonly FieldRequirement[],
  valueOf: (field: string) => string | undefined,
): boolean {
  return requirements.every(({ field, isEqual, value }) => ((valueOf(field) ?? "") === value) === isEqual);
}

function parseTerm(term: string): FieldRequirement | undefined {
  const [, field = "", operator, escaped = ""] = /^(.*?)(!=|==|=)(.*)$/s.exec(term) ?? [];
  const isValidValue = /^(?:\\[\\,=]|[^\\,=])*$/s.test(escaped);
  if (operator === undefined || !isValidValue) return undefined;
  return { field, isEqual: operator !== "!=", value: escaped.replaceAll(/\\(.)/gs, "$1") };
}
