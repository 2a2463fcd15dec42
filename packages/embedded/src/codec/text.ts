/** A value in a message or a comparison: text as it is, all else as JSON, nothing as nothing. */
export function asText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
