import type { Problem } from "../../schema/problem.ts";

/** Why a field is refused, in the API server's words. */
export type ProblemReason =
  | "FieldValueDuplicate"
  | "FieldValueForbidden"
  | "FieldValueInvalid"
  | "FieldValueNotFound"
  | "FieldValueRequired";

export interface FieldProblem extends Problem {
  readonly reason: ProblemReason;
}

export function invalid(path: string, message: string): FieldProblem {
  return { path, message, reason: "FieldValueInvalid" };
}

export function forbidden(path: string, message: string): FieldProblem {
  return { path, message, reason: "FieldValueForbidden" };
}

export function required(path: string, message: string): FieldProblem {
  return { path, message, reason: "FieldValueRequired" };
}

export function notFound(path: string, message: string): FieldProblem {
  return { path, message, reason: "FieldValueNotFound" };
}

export function duplicate(path: string, message: string): FieldProblem {
  return { path, message, reason: "FieldValueDuplicate" };
}
