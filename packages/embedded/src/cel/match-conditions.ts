import { newEnvironment } from "./environment.ts";
import { Budget, compile, type Program } from "./program.ts";
import { summaryOf } from "./summary.ts";
import { dynamic } from "./types.ts";

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

export interface AdmissionVariables {
  readonly object: unknown;
  readonly oldObject: unknown;
  /** The AdmissionRequest as a webhook gets it. */
  readonly request: unknown;
}

export type MatchVerdict = { readonly matches: boolean } | { readonly error: string };

const stepsMax = 2_500_000;

/** All true: matches; one false: does not; else the first error, for failurePolicy to judge. */
export function evaluateMatchConditions(
  conditions: readonly MatchCondition[],
  { object, oldObject, request }: AdmissionVariables,
): MatchVerdict {
  if (conditions.length === 0) return { matches: true };
  const variables = {
    object: dynamic.convert(object ?? null),
    oldObject: dynamic.convert(oldObject ?? null),
    request: dynamic.convert(request),
  };
  const budget = new Budget(stepsMax);
  const verdicts = conditions.map((condition) => evaluate(condition, variables, budget));
  if (verdicts.includes(false)) return { matches: false };
  const error = verdicts.find((verdict) => typeof verdict === "string");
  return error === undefined ? { matches: true } : { error };
}

/** A text if the condition has no answer. */
function evaluate(
  { expression }: MatchCondition,
  variables: Record<string, unknown>,
  budget: Budget,
): boolean | string {
  try {
    const program = programOf(expression);
    if (typeof program === "string") return program;
    const verdict = program.run(variables, budget);
    return typeof verdict === "boolean" ? verdict : "cel expression must evaluate to a bool";
  } catch (error) {
    return summaryOf(error);
  }
}

/** What is wrong with the expression; undefined if nothing is. */
export function checkMatchCondition(expression: string): string | undefined {
  const program = programOf(expression);
  return typeof program === "string" ? program : undefined;
}

const programs = new Map<string, Program | string>();
const programsMax = 500;

function programOf(expression: string): Program | string {
  const known = programs.get(expression);
  if (known !== undefined) return known;
  if (programs.size >= programsMax) programs.clear();
  const program = compiled(expression);
  programs.set(expression, program);
  return program;
}

function compiled(expression: string): Program | string {
  const environment = newEnvironment();
  for (const name of ["object", "oldObject", "request"]) environment.registerVariable(name, "dyn");
  try {
    const program = compile(environment, expression);
    return program.type === "bool" || program.type === "dyn" ? program : "must evaluate to bool";
  } catch (error) {
    return `compilation failed: ${summaryOf(error)}`;
  }
}
