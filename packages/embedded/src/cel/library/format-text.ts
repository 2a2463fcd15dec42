/** `"%s of %d".format([…])` */
export function formatText(template: string, values: readonly unknown[]): string {
  let next = 0;
  const text = template.replace(/%(?:%|(?:\.(\d+))?([sdfeboxX])|.|$)/g, (found, precision?: string, verb?: string) => {
    if (found === "%%") return "%";
    if (verb === undefined)
      throw new Error(`could not parse formatting clause: unrecognized formatting clause "${found.slice(1)}"`);
    if (next >= values.length) throw new Error(`index ${next} out of range`);
    return formatValue(verb, values[next++], precision === undefined ? 6 : Number(precision));
  });
  return text;
}

function formatValue(verb: string, value: unknown, precision: number): string {
  switch (verb) {
    case "s":
      return describe(value);
    case "d":
      return integer(value).toString();
    case "b":
      return typeof value === "boolean" ? String(Number(value)) : integer(value).toString(2);
    case "o":
      return integer(value).toString(8);
    case "x":
    case "X":
      return inHex(value, verb);
    case "e":
      return Number(value)
        .toExponential(precision)
        .replace(/e([+-])(\d)$/, "e$10$2");
    default:
      return Number(value).toFixed(precision);
  }
}

function integer(value: unknown): bigint {
  if (typeof value === "bigint") return value;
  throw new Error("integer clause can only be used on integers");
}

function inHex(value: unknown, verb: string): string {
  const hex = typeof value === "string" ? Buffer.from(value).toString("hex") : integer(value).toString(16);
  return verb === "X" ? hex.toUpperCase() : hex;
}

function describe(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "null";
  if (value instanceof Date) return value.toISOString().replace(".000Z", "Z");
  if (Array.isArray(value)) return `[${value.map(describe).join(", ")}]`;
  if (value instanceof Map) {
    const entries = [...value].map(([key, field]) => `${describe(key)}: ${describe(field)}`);
    return `{${entries.toSorted().join(", ")}}`;
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8");
  return (value as { toString: () => string }).toString();
}
