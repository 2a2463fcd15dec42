import type { Problem } from "../schema/problem.ts";
import { structuralSchema } from "../schema/structural.ts";
import { unknownFields } from "../schema/unknown-fields.ts";
import { type Canary, canaryResource } from "./canary.ts";
import { parseCanary } from "./parse.ts";

/** What admission would say of a manifest, and the fields that the API server would drop before anybody sees them. */
export function lintCanary({ metadata, spec }: Partial<Canary>): readonly Problem[] {
  const parsed = parseCanary(metadata?.name ?? "", spec ?? {});
  return [
    ...(parsed.isValid ? [] : parsed.problems),
    ...unknownFields(structuralSchema(canaryResource.spec), spec, "spec"),
  ];
}
