import { isObject, type JsonObject } from "./json.ts";

// Values in the words of Go's fmt, for messages that clients compare.

/** By code point, as Go compares UTF-8. */
export function compareStrings(left: string, right: string): number {
  if (left === right) return 0;
  if (hasSurrogates(left) || hasSurrogates(right)) return Buffer.compare(Buffer.from(left), Buffer.from(right));
  return left < right ? -1 : 1;
}

function hasSurrogates(text: string): boolean {
  return /[\ud800-\udfff]/.test(text);
}

const needsEscape = /[^ !#-%'-;=?-[\]-~]/;

// The server's encoder escapes for HTML and knows no short form of \b and \f.
const escapedByServer = /[<>&\u2028\u2029]|\\[bf]/g;

/** Compact JSON with sorted keys. */
export function goJson(value: unknown): string {
  if (typeof value === "string" && !needsEscape.test(value)) return `"${value}"`;
  if (typeof value === "number") return JSON.stringify(value);
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map(goJson).join(",")}]`;
  if (isObject(value)) {
    return `{${sortedKeys(value)
      .map((key) => `${goJson(key)}:${goJson(value[key])}`)
      .join(",")}}`;
  }
  return JSON.stringify(value ?? null).replace(escapedByServer, (found) => {
    const code = found === "\\b" ? 8 : found === "\\f" ? 12 : found.charCodeAt(0);
    return `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

function sortedKeys(value: JsonObject): string[] {
  return Object.keys(value).toSorted(compareStrings);
}

/** `%v` */
export function goValue(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goValue).join(" ")}]`;
  if (isObject(value)) {
    return `map[${sortedKeys(value)
      .map((key) => `${key}:${goValue(value[key])}`)
      .join(" ")}]`;
  }
  return goScalar(value);
}

function goScalar(value: unknown): string {
  if (typeof value === "number") return goFloat(value);
  return typeof value === "string" || typeof value === "bigint" || typeof value === "boolean" ? `${value}` : "";
}

/** `%#v` */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return "interface {}(nil)";
  if (typeof value === "string") return goQuote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (isObject(value)) {
    const fields = sortedKeys(value).map((key) => `${goQuote(key)}:${goSyntax(value[key])}`);
    return `map[string]interface {}{${fields.join(", ")}}`;
  }
  return goScalar(value);
}

/** `%T` */
export function goType(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  if (isObject(value)) return "map[string]interface {}";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "float64";
}

/** `%q` */
export function goQuote(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u00a0\u00ad]|\\u00[01][0-9a-f]|\\b|\\f/g, (found) => {
    if (found === "\\b" || found === "\\f") return found;
    const code = found.startsWith("\\u") ? Number.parseInt(found.slice(2), 16) : found.charCodeAt(0);
    if (code === 7) return "\\a";
    if (code === 11) return "\\v";
    return code < 0x80 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** `%v` of a float64. */
export function goFloat(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e21)) {
    return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  }
  return String(value);
}

/** How Go's JSON decoder names what it found. */
export function goKind(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}
