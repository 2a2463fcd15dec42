import type { z } from "zod";
import type { Problem } from "./problem.ts";

/** What the API server would refuse by the schema alone, with paths as kubectl writes them. */
export function schemaProblems(schema: z.ZodType, value: unknown, root: string): readonly Problem[] {
  const parsed = schema.safeParse(value);
  if (parsed.success) return [];
  return parsed.error.issues.map(({ path, message }) => ({ path: pathText(root, path), message }));
}

function pathText(root: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, step) => (typeof step === "number" ? `${text}[${step}]` : `${text}.${String(step)}`),
    root,
  );
}
