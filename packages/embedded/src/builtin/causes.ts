// The words in which the real server refuses fields.
import type { Cause } from "../schema/cause.ts";
import { toJson } from "../codec/text.ts";

export function required(field: string, detail = ""): Cause {
  return {
    field,
    reason: "FieldValueRequired",
    message: detail === "" ? "Required value" : `Required value: ${detail}`,
  };
}

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

export function forbiddenField(field: string, problem: string): Cause {
  return { field, reason: "FieldValueForbidden", message: `Forbidden: ${problem}` };
}

export function duplicate(field: string, value: unknown): Cause {
  return { field, reason: "FieldValueDuplicate", message: `Duplicate value: ${goValue(value)}` };
}

export function tooLong(field: string, maxBytes: number): Cause {
  return { field, reason: "FieldValueTooLong", message: `Too long: may not be more than ${maxBytes} bytes` };
}

/** Structs are printed as JSON nowadays, nothing as null. */
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
