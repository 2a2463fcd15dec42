import type { Disagreement } from "./run.ts";

export function print({ name, request, embedded, real }: Disagreement): void {
  console.log(`\n✗ ${name}\n  ${request}`);
  const [ours, theirs] = [lines(embedded), lines(real)];
  for (const line of theirs) if (!ours.includes(line)) console.log(`    real     ${line}`);
  for (const line of ours) if (!theirs.includes(line)) console.log(`    embedded ${line}`);
}

/** One line per leaf, so that a difference shows where it is. */
function lines(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [`${path} = ${JSON.stringify(value)}`];
  const entries = Object.entries(value);
  if (entries.length === 0) return [`${path} = ${Array.isArray(value) ? "[]" : "{}"}`];
  return entries.flatMap(([key, child]) => lines(child, `${path}.${key}`));
}
