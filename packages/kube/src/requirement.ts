import { labelValueProblems, qualifiedNameProblems } from "./names.ts";
import { bad, good, type Result } from "./result.ts";

export type LabelOperator = "=" | "==" | "!=" | "in" | "notin" | "exists" | "!" | ">" | "<";

/** One condition on labels. A selector is a list of them, all of which must hold. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted, each once. */
  readonly values: readonly string[];
}

export function makeRequirement(
  key: string,
  operator: LabelOperator,
  values: readonly string[],
): Result<LabelRequirement> {
  const problems = [
    ...qualifiedNameProblems(key).map((problem) => `key ${JSON.stringify(key)}: ${problem}`),
    ...operators[operator].problems(values),
    ...values.flatMap((value) =>
      labelValueProblems(value).map((problem) => `value ${JSON.stringify(value)} of ${key}: ${problem}`),
    ),
  ];
  if (problems.length > 0) return bad(problems.join("; "));
  return good({ key, operator, values: [...new Set(values)].toSorted() });
}

export function meetsRequirement(
  labels: Readonly<Record<string, string>>,
  { key, operator, values }: LabelRequirement,
): boolean {
  return operators[operator].isMet(Object.hasOwn(labels, key) ? labels[key] : undefined, values);
}

export function formatRequirement({ key, operator, values }: LabelRequirement): string {
  if (operator === "exists") return key;
  if (operator === "!") return `!${key}`;
  if (operator === "in" || operator === "notin") return `${key} ${operator} (${values.join(",")})`;
  return `${key}${operator}${values[0] ?? ""}`;
}

interface Operator {
  isMet(value: string | undefined, values: readonly string[]): boolean;
  problems(values: readonly string[]): readonly string[];
}

const isOneOf: Operator["isMet"] = (value, values) => value !== undefined && values.includes(value);
const isNoneOf: Operator["isMet"] = (value, values) => value === undefined || !values.includes(value);

const oneValue: Operator["problems"] = (values) =>
  values.length === 1 ? [] : ["exact-match compatibility requires one single value"];
const someValues: Operator["problems"] = (values) =>
  values.length > 0 ? [] : ["for 'in', 'notin' operators, values set can't be empty"];
const noValues: Operator["problems"] = (values) =>
  values.length === 0 ? [] : ["values set must be empty for exists and does not exist"];
const integers: Operator["problems"] = (values) =>
  values.every((value) => toInteger(value) !== undefined)
    ? []
    : ["for 'Gt', 'Lt' operators, the value must be an integer"];

const operators: Readonly<Record<LabelOperator, Operator>> = {
  "=": { isMet: isOneOf, problems: oneValue },
  "==": { isMet: isOneOf, problems: oneValue },
  "!=": { isMet: isNoneOf, problems: oneValue },
  in: { isMet: isOneOf, problems: someValues },
  notin: { isMet: isNoneOf, problems: someValues },
  exists: { isMet: (value) => value !== undefined, problems: noValues },
  "!": { isMet: (value) => value === undefined, problems: noValues },
  ">": { isMet: (value, [limit]) => isBelow(limit, value), problems: integers },
  "<": { isMet: (value, [limit]) => isBelow(value, limit), problems: integers },
};

function isBelow(left: string | undefined, right: string | undefined): boolean {
  const [low, high] = [toInteger(left), toInteger(right)];
  return low !== undefined && high !== undefined && low < high;
}

function toInteger(text: string | undefined): bigint | undefined {
  return text !== undefined && /^[+-]?\d+$/.test(text) ? BigInt(text.replace("+", "")) : undefined;
}
