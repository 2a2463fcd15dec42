import type { Cause, CauseReason } from "./cause.ts";
import { goFloat, goJson, goQuote } from "./go-format.ts";

// Field errors in the server's words.

const titles: Partial<Record<CauseReason, string>> = {
  FieldValueInvalid: "Invalid value",
  FieldValueTypeInvalid: "Invalid value",
  FieldValueNotSupported: "Unsupported value",
  FieldValueDuplicate: "Duplicate value",
  FieldValueTooMany: "Too many",
  FieldValueNotFound: "Not found",
};

export function invalid(field: string, value: unknown, detail: string): Cause {
  return valued("FieldValueInvalid", field, { value, detail });
}

/** Objects and lists are not repeated in the message. */
export function invalidWithoutValue(field: string, detail: string): Cause {
  return { field, reason: "FieldValueInvalid", message: joined("Invalid value", detail) };
}

export function typeInvalid(field: string, value: unknown, detail: string): Cause {
  return valued("FieldValueTypeInvalid", field, { value, detail });
}

export function duplicate(field: string, value: unknown): Cause {
  return valued("FieldValueDuplicate", field, { value, detail: "" });
}

export function required(field: string, detail = ""): Cause {
  return { field, reason: "FieldValueRequired", message: joined("Required value", detail) };
}

export function forbidden(field: string, detail: string): Cause {
  return { field, reason: "FieldValueForbidden", message: joined("Forbidden", detail) };
}

export function notSupported(field: string, value: unknown, supported: readonly string[]): Cause {
  const detail = supported.length === 0 ? "" : `supported values: ${supported.map(goQuote).join(", ")}`;
  return valued("FieldValueNotSupported", field, { value, detail });
}

export function tooLong(field: string, lengthMax: number): Cause {
  const unit = lengthMax === 1 ? "byte" : "bytes";
  return { field, reason: "FieldValueTooLong", message: `Too long: may not be more than ${lengthMax} ${unit}` };
}

export function tooMany(field: string, count: number, countMax: number): Cause {
  const detail = `must have at most ${countMax} ${countMax === 1 ? "item" : "items"}`;
  return valued("FieldValueTooMany", field, { value: count, detail });
}

function valued(reason: CauseReason, field: string, { value, detail }: { value: unknown; detail: string }): Cause {
  return { field, reason, message: joined(`${titles[reason]}: ${describeValue(value)}`, detail) };
}

function joined(title: string, detail: string): string {
  return detail === "" ? title : `${title}: ${detail}`;
}

function describeValue(value: unknown): string {
  if (typeof value === "string") return goQuote(value);
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : goFloat(value);
  return value === undefined ? "null" : goJson(value);
}
