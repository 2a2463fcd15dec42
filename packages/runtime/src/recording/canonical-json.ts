const REDACTED = "[redacted]";

/** JSON with sorted keys: equal values give equal text. The data of a Secret, should one get here, does not pass. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) => (isPlainObject(inner) ? sorted(inner) : inner)) ?? "null";
}

function sorted(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isSecret = value.kind === "Secret" && value.apiVersion === "v1";
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, isSecret && (name === "data" || name === "stringData") ? REDACTED : value[name]]),
  );
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
