// The words in which the real server refuses values of its own kinds, beside those of schema/field-error.ts: structs are
// printed as JSON.
import type { Cause } from "../schema/cause.ts";
import { toJson } from "../codec/text.ts";

export function invalidValue(field: string, value: unknown, problem: string): Cause {
  return { field, reason: "FieldValueInvalid", message: `Invalid value: ${goValue(value)}: ${problem}` };
}

export function notSupported(field: string, value: unknown, supported: readonly string[]): Cause {
  const list = supported
    .toSorted()
    .map((choice) => toJson(choice))
    .join(", ");
  return {
    field,
    reason: "FieldValueNotSupported",
    message: `Unsupported value: ${goValue(value)}: supported values: ${list}`,
  };
}

export function duplicate(field: string, value: unknown): Cause {
  return { field, reason: "FieldValueDuplicate", message: `Duplicate value: ${goValue(value)}` };
}

function goValue(value: unknown): string {
  return toJson(value ?? null);
}

export function notNegative(field: string, value: unknown): Cause[] {
  return typeof value === "number" && value < 0
    ? [invalidValue(field, value, "must be greater than or equal to 0")]
    : [];
}

export function oneOf(field: string, value: unknown, supported: readonly string[]): Cause[] {
  return typeof value === "string" && supported.includes(value) ? [] : [notSupported(field, value, supported)];
}

export function immutable(field: string, value: unknown): Cause {
  return invalidValue(field, value, "field is immutable");
}
