import type { Cause } from "../schema/cause.ts";
import type { SchemaNode } from "../schema/schema-node.ts";

export interface RuleInput {
  readonly value: unknown;
  /** Undefined on create: transition rules are skipped. */
  readonly previous?: unknown;
  readonly path?: string;
}

/** Judges every `x-kubernetes-validations` in the schema. Compiled once per schema. */
export function validateRules(_schema: SchemaNode, _input: RuleInput): Cause[] {
  return [];
}
