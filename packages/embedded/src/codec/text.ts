import { stringifyJson } from "../schema/parse-json.ts";

/** A value in a message or a comparison: text as it is, all else as JSON, nothing as nothing. */
export function asText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : toJson(value);
}

/** As JSON.stringify, also of integers beyond 2^53, which are rare enough to cost nothing when there are none. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return stringifyJson(value);
  }
}
