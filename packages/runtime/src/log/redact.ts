import type { LogFields } from "./logger.ts";

const REDACTED = "[redacted]";
const DEPTH_MAX = 6;
const TEXT_MAX = 4_096;

/** Names whose values are secret, by how they end: `accessToken` is, `tokenFile` is not. */
const SECRET_NAME =
  /(authorization|cookie|passw(or)?d|passphrase|token|secret|credentials?|(private|client|api|access|tls|ca)[-_.]?key([-_.]?data)?)$/i;
/** What gives itself away inside any text. */
const SECRET_TEXT = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /\b(?:Bearer|Basic)\s+[\w~+/.=-]{8,}/gi,
  /(?<=\/\/)[^/\s:@]+:[^/\s@]+(?=@)/g,
];

export function redactText(text: string): string {
  const clean = SECRET_TEXT.reduce((rest, pattern) => rest.replace(pattern, REDACTED), text);
  return clean.length > TEXT_MAX ? `${clean.slice(0, TEXT_MAX)}…` : clean;
}

/** The same fields without anything that looks like a secret, as plain JSON. */
export function redactFields(fields: LogFields): Record<string, unknown> {
  return redactObject(fields, 0);
}

function redact(value: unknown, depth: number): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return typeof value === "function" ? "[function]" : value;
  if (depth >= DEPTH_MAX) return "[deep]";
  if (value instanceof Error) return redactError(value, depth);
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return redactObject(value, depth);
}

function redactObject(value: object, depth: number): Record<string, unknown> {
  const isSecret = "kind" in value && value.kind === "Secret";
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET_NAME.test(name) || (isSecret && /^(data|stringData)$/.test(name)) ? REDACTED : redact(inner, depth + 1),
    ]),
  );
}

/** What an error says, and what it carries besides: a code, a status, a cause. */
function redactError(error: Error, depth: number): Record<string, unknown> {
  const { name, message, stack, cause, ...rest } = error as Error & Record<string, unknown>;
  return {
    name,
    message: redactText(message),
    ...redactObject(rest, depth),
    ...(stack !== undefined && { stack: redactText(stack) }),
    ...(cause !== undefined && { cause: redact(cause, depth + 1) }),
  };
}
