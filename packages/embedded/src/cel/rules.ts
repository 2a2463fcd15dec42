import { Optional } from "@marcbachmann/cel-js";
import type { Cause } from "../schema/cause.ts";
import { correlatedItem, isUnchanged } from "../schema/correlate.ts";
import { duplicate, forbidden, invalid, invalidWithoutValue, required } from "../schema/field-error.ts";
import { isObject, type JsonObject, own } from "../schema/json.ts";
import type { CelRule, SchemaNode } from "../schema/schema-node.ts";
import { type CompiledRule, type CompiledRules, compiledRulesOf } from "./compiled-rules.ts";
import { Budget, CostError } from "./program.ts";
import { summaryOf } from "./summary.ts";

export interface RuleInput {
  readonly value: unknown;
  /** Undefined on create: transition rules are skipped. */
  readonly previous?: unknown;
}

const stepsMax = 10_000_000;

export function hasRules(schema: SchemaNode): boolean {
  return compiledRulesOf(schema).size > 0;
}

/** Judges every `x-kubernetes-validations` in the schema. Compiled once per schema. */
export function validateRules(schema: SchemaNode, { value, previous }: RuleInput): Cause[] {
  const rules = compiledRulesOf(schema);
  if (rules.size === 0) return [];
  const judge = new Judge(rules);
  judge.visit(schema, { value, previous, path: "", isSame: false });
  return judge.causes;
}

interface Place {
  readonly value: unknown;
  readonly previous: unknown;
  readonly path: string;
  /** The nearest value with a counterpart in the stored object is equal to it. */
  readonly isSame: boolean;
}

class Judge {
  readonly causes: Cause[] = [];
  readonly #rules: CompiledRules;
  readonly #budget = new Budget(stepsMax);
  #isOver = false;

  constructor(rules: CompiledRules) {
    this.#rules = rules;
  }

  visit(schema: SchemaNode, place: Place): void {
    const { value, previous } = place;
    if (value === null || value === undefined || this.#isOver) return;
    const isSame = previous === undefined ? place.isSame : isUnchanged(schema, value, previous);
    this.#judge(schema, { ...place, isSame });
    if (Array.isArray(value)) this.#visitItems(schema, value, { ...place, isSame });
    else if (isObject(value)) this.#visitFields(schema, value, { ...place, isSame });
  }

  #visitItems(schema: SchemaNode, value: readonly unknown[], place: Place): void {
    const { items } = schema;
    if (items === undefined) return;
    for (const [i, item] of value.entries()) {
      const previous = correlatedItem(schema, place.previous, item);
      this.visit(items, { ...place, value: item, previous, path: `${place.path}[${i}]` });
    }
  }

  #visitFields(schema: SchemaNode, value: JsonObject, place: Place): void {
    const rest = schema.additionalProperties;
    for (const key of Object.keys(value)) {
      const field = schema.properties?.get(key);
      const type = field ?? (typeof rest === "object" ? rest : undefined);
      if (type === undefined) continue;
      const previous = isObject(place.previous) ? own(place.previous, key) : undefined;
      const path = field === undefined ? `${place.path}[${key}]` : childPath(place.path, key);
      this.visit(type, { ...place, value: value[key], previous, path });
    }
  }

  #judge(schema: SchemaNode, place: Place): void {
    const compiled = this.#rules.get(schema);
    if (compiled === undefined) return;
    const self = compiled.type.convert(place.value);
    const oldSelf =
      place.previous === undefined || place.previous === null ? undefined : compiled.type.convert(place.previous);
    for (const rule of compiled.rules) {
      if (this.#isOver) return;
      if (rule.usesOldSelf && oldSelf === undefined && rule.source.optionalOldSelf !== true) continue;
      this.#judgeRule(schema, rule, { place, variables: variablesFor(rule.source, self, oldSelf) });
    }
  }

  #judgeRule(schema: SchemaNode, rule: CompiledRule, { place, variables }: Evaluation): void {
    const type = schema.type ?? "";
    const at = place.path === "" ? "<nil>" : place.path;
    if (rule.program === undefined) {
      this.causes.push(invalid(at, type, `rule compile error: ${rule.error}`));
      return;
    }
    let verdict: unknown;
    try {
      verdict = rule.program.run(variables, this.#budget);
    } catch (error) {
      this.causes.push(invalid(at, type, this.#describeFailure(rule.source, error)));
      return;
    }
    if (verdict === true || (!rule.usesOldSelf && place.isSame)) return;
    this.causes.push(causeOf(schema, rule.source, { ...place, detail: this.#messageOf(rule, variables) }));
  }

  #describeFailure(rule: CelRule, error: unknown): string {
    const text = summaryOf(error);
    if (error instanceof CostError) {
      this.#isOver = true;
      return `'${text}': no further validation rules will be run due to call cost exceeds limit for rule: ${nameOf(rule)}`;
    }
    if (text.startsWith("no such overload") || text.startsWith("found no matching overload")) {
      return `'${text}': call arguments did not match a supported operator, function or macro signature for rule: ${nameOf(rule)}`;
    }
    return `${text} evaluating rule: ${nameOf(rule)}`;
  }

  #messageOf({ source, message }: CompiledRule, variables: Record<string, unknown>): string {
    const text = message === undefined ? undefined : this.#evaluated(() => message.run(variables, this.#budget));
    if (text !== undefined) return text;
    return source.message === undefined || source.message === ""
      ? `failed rule: ${nameOf(source)}`
      : source.message.trim();
  }

  /** Undefined: the message can't be used, the rule's own one is. */
  #evaluated(run: () => unknown): string | undefined {
    try {
      const text = run();
      const trimmed = typeof text === "string" ? text.trim() : "";
      return trimmed === "" || trimmed.length > 5120 || trimmed.includes("\n") ? undefined : trimmed;
    } catch {
      return undefined;
    }
  }
}

interface Evaluation {
  readonly place: Place;
  readonly variables: Record<string, unknown>;
}

function variablesFor(rule: CelRule, self: unknown, oldSelf: unknown): Record<string, unknown> {
  if (rule.optionalOldSelf === true) {
    return { self, oldSelf: oldSelf === undefined ? Optional.none() : Optional.of(oldSelf) };
  }
  return oldSelf === undefined ? { self } : { self, oldSelf };
}

function childPath(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

function nameOf({ message, rule }: CelRule): string {
  return (message === undefined || message === "" ? rule : message).trim();
}

function causeOf(schema: SchemaNode, rule: CelRule, { value, path, detail }: Place & { detail: string }): Cause {
  const below = (rule.fieldPath ?? "").replace(/\['((?:[^'\\]|\\.)*)'\]/g, ".$1").replace(/^\./, "");
  const joined = below === "" ? path : childPath(path, below);
  const field = joined === "" ? "<nil>" : joined;
  const isCompound = schema.type === "object" || schema.type === "array";
  switch (rule.reason) {
    case "FieldValueForbidden":
      return forbidden(field, detail);
    case "FieldValueRequired":
      return required(field, detail);
    case "FieldValueDuplicate":
      return isCompound
        ? { field, reason: "FieldValueDuplicate", message: "Duplicate value" }
        : duplicate(field, value);
    default:
      return isCompound ? invalidWithoutValue(field, detail) : invalid(field, value, detail);
  }
}
