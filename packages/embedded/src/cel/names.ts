// Properties whose names are no CEL identifiers are reached by an escaped name.

const keywords = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

const escapes: Readonly<Record<string, string>> = {
  __: "__underscores__",
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
};

/** Undefined: expressions can't reach a property of that name. */
export function escapeName(name: string): string | undefined {
  if (keywords.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_][A-Za-z0-9_.\-/]*$/.test(name) || name === "constructor" || name === "prototype") return undefined;
  return name.replace(/__|[.\-/]/g, (found) => escapes[found] ?? found);
}
