import type { z } from "zod";
import type { Problem } from "./problem.ts";

/** What the API server would refuse by the schema alone, with paths as kubectl writes them. */
export function schemaProblems(schema: z.ZodType, value: unknown, root: string): readonly Problem[] {
  const parsed = schema.safeParse(value);
  return parsed.success ? [] : parsed.error.issues.flatMap((issue) => problemsOf(issue, root));
}

function problemsOf(issue: z.core.$ZodIssue, root: string): readonly Problem[] {
  const { path, message } = issue;
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: pathText(root, [...path, key]), message: "is no field: remove it" }));
  const [, expected] = /^Invalid input: expected (\S+), received undefined$/.exec(message) ?? [];
  return [{ path: pathText(root, path), message: expected ? `is missing: ${expected} is needed` : message }];
}

function pathText(root: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, step) => (typeof step === "number" ? `${text}[${step}]` : `${text}.${String(step)}`),
    root,
  );
}
