// Label selectors, in both of their forms: the object in a spec and the text in a query.
import type { LabelSelector } from "./generated/index.ts";
import {
  formatRequirement,
  type LabelOperator,
  type LabelRequirement,
  makeRequirement,
  meetsRequirement,
} from "./requirement.ts";
import { bad, good, type Result } from "./result.ts";
import { parseRequirements } from "./selector-syntax.ts";

/** Requirements sorted by key, all of which must hold. None at all selects everything. */
export type LabelRequirements = readonly LabelRequirement[];

const operators: Readonly<Record<string, LabelOperator>> = {
  In: "in",
  NotIn: "notin",
  Exists: "exists",
  DoesNotExist: "!",
};

/** The object form. One that is absent selects nothing, and that is for the caller to say. */
export function readLabelSelector({
  matchLabels = {},
  matchExpressions = [],
}: LabelSelector): Result<LabelRequirements> {
  const fromLabels = Object.entries(matchLabels).map(([key, value]) => makeRequirement(key, "=", [value]));
  const fromExpressions = matchExpressions.map(({ key, operator, values = [] }) => {
    const known = operators[operator];
    if (known === undefined) return bad(`${JSON.stringify(operator)} is not a valid label selector operator`);
    return makeRequirement(key, known, values);
  });
  return sortedByKey([...fromLabels, ...fromExpressions]);
}

/** The text form: `app=web,tier in (front,back),!legacy`. */
export function parseLabelSelector(text: string): Result<LabelRequirements> {
  const parsed = parseRequirements(text);
  return parsed.ok ? sortedByKey(parsed.value.map((requirement) => good(requirement))) : parsed;
}

export function matchesLabels(
  requirements: LabelRequirements,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  return requirements.every((requirement) => meetsRequirement(labels ?? {}, requirement));
}

/** The canonical text, as it goes into a query. */
export function formatLabelSelector(requirements: LabelRequirements): string {
  return requirements.map(formatRequirement).join(",");
}

function sortedByKey(results: readonly Result<LabelRequirement>[]): Result<LabelRequirements> {
  const problem = results.find((result) => !result.ok);
  if (problem !== undefined) return problem;
  const requirements = results.flatMap((result) => (result.ok ? [result.value] : []));
  return good(requirements.toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key))));
}
