/** Whether two JSON values are the same, field by field: compared on every pass, so without making texts of them. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const fields = a as Readonly<Record<string, unknown>>;
  const others = b as Readonly<Record<string, unknown>>;
  const names = Object.keys(fields);
  return names.length === Object.keys(others).length && names.every((name) => isSame(fields[name], others[name]));
}
