import { defined } from "./defined.ts";
import type { FieldRule, FieldRules } from "./field-rule.ts";
import { fieldRules, typeOfKind } from "./generated/field-rules.ts";

/** Which rules a value is compared by, where its apiVersion and kind do not tell. */
export interface ComparedAs {
  /** A built-in type (`PodTemplateSpec`), or one of `rules`. */
  readonly type: string;
  /** Types beside the built-in ones, which they may refer to. */
  readonly rules?: FieldRules;
}

const noRule: FieldRule = {};
const anyObject: FieldRules[string] = { metadata: { type: "ObjectMeta" } };

/** The rule that holds at one place, and from there the rules below. */
export class Ruling {
  readonly rule: FieldRule;
  private readonly types: FieldRules;

  constructor(rule: FieldRule, types: FieldRules) {
    this.rule = rule;
    this.types = types;
  }

  field(name: string): Ruling {
    if (this.rule.map === true) return this.item();
    const rule = this.rule.type === undefined ? undefined : this.types[this.rule.type]?.[name];
    return rule === undefined ? UNRULED : new Ruling(rule, this.types);
  }

  /** For an item of the list, or a value of the map. */
  item(): Ruling {
    const { type, quantity } = this.rule;
    if (type === undefined && quantity === undefined) return UNRULED;
    return new Ruling(defined({ type, quantity }), this.types);
  }
}

/** Where no rule is, there is none below; most fields of most objects are such. */
const UNRULED = new Ruling(noRule, {});

export function rulingOf(value: unknown, as: ComparedAs | undefined): Ruling {
  if (as !== undefined) return new Ruling({ type: as.type }, { ...fieldRules, ...as.rules });
  const { apiVersion, kind } = (value ?? {}) as { readonly apiVersion?: unknown; readonly kind?: unknown };
  const isObject = typeof apiVersion === "string" && typeof kind === "string";
  const type = isObject ? typeOfKind[`${apiVersion}/${kind}`] : undefined;
  if (type !== undefined || !isObject) return new Ruling(type === undefined ? noRule : { type }, fieldRules);
  return new Ruling({ type: "anyObject" }, { ...fieldRules, anyObject });
}
