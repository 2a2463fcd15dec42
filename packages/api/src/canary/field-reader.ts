import type { PodTemplateSpec } from "@chaski/kube";
import type { Problem } from "../schema/problem.ts";
import type { CanarySpec, infoKeys } from "./canary.ts";
import { isDeploymentName, isPositiveQuantity } from "./field-syntax.ts";

type FieldName = (typeof infoKeys)[number];

/** Reads the fields of a spec, whichever form it has, and collects every problem with the path that the user wrote. */
export class FieldReader {
  readonly problems: Problem[] = [];
  readonly #spec: CanarySpec;

  constructor(spec: CanarySpec) {
    this.#spec = spec;
  }

  /** `field` is a key of the form in use; empty for the form itself. */
  refuse(field: string, message: string): void {
    const form = this.#spec.info === undefined ? "spec" : "spec.info";
    this.problems.push({ path: field === "" ? form : `${form}.${field}`, message });
  }

  /** Refuses an absent field, but not one that is there and was refused already. */
  require(field: FieldName, message: string): void {
    if (this.#raw(field) === undefined) this.refuse(field, `is required: ${message}`);
  }

  required<T>(value: T | undefined, field: FieldName, message: string): T | undefined {
    if (value === undefined) this.require(field, message);
    return value;
  }

  oneOf<const V extends string>(field: FieldName, values: readonly V[]): V | undefined {
    const raw = this.#raw(field);
    if (raw === undefined) return undefined;
    const value = values.find((candidate) => candidate === raw);
    if (value === undefined) this.refuse(field, `is ${quoted(raw)}; it must be one of ${values.join(", ")}`);
    return value;
  }

  /** Strict: JavaScript reads "" as 0, "2abc" as 2 and "1e2" as 100; we refuse all three. */
  integer(field: FieldName, { min, max }: { min: number; max: number }): number | undefined {
    const raw = this.#raw(field);
    if (raw === undefined) return undefined;
    const value = typeof raw === "string" && /^(0|[1-9][0-9]{0,8})$/.test(raw) ? Number(raw) : raw;
    if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
    this.refuse(field, `is ${quoted(raw)}; it must be a whole number from ${min} to ${max}`);
    return undefined;
  }

  boolean(field: FieldName): boolean | undefined {
    const raw = this.#raw(field);
    if (raw === undefined || typeof raw === "boolean") return raw;
    if (raw === "true" || raw === "false") return raw === "true";
    this.refuse(field, `is ${quoted(raw)}; it must be true or false`);
    return undefined;
  }

  text(field: FieldName): string | undefined {
    const raw = this.#raw(field);
    if (raw === undefined || (typeof raw === "string" && raw.trim() === raw && raw !== "")) return raw;
    this.refuse(field, `is ${quoted(raw)}; it must be a text without spaces around it`);
    return undefined;
  }

  quantity(field: FieldName): string | undefined {
    const text = this.text(field);
    if (text === undefined || isPositiveQuantity(text)) return text;
    this.refuse(field, `is ${quoted(text)}; it must be a quantity such as 500m or 256Mi`);
    return undefined;
  }

  deploymentName(field: FieldName): string | undefined {
    const text = this.text(field);
    if (text === undefined || isDeploymentName(text)) return text;
    this.refuse(
      field,
      `is ${quoted(text)}; a Deployment's name has lower case letters, digits, "-" and ".", and starts and ends with a letter or digit`,
    );
    return undefined;
  }

  template(): PodTemplateSpec | undefined {
    return this.#spec.info === undefined ? this.#spec.template : undefined;
  }

  #raw(field: FieldName): string | number | boolean | undefined {
    return this.#spec.info === undefined ? this.#spec[field] : this.#spec.info[field];
  }
}

function quoted(raw: unknown): string {
  const text = JSON.stringify(raw);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
