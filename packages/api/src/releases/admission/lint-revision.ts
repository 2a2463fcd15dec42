import { schemaProblems } from "../../schema/schema-problems.ts";
import { structuralSchema } from "../../schema/structural.ts";
import { unknownFields } from "../../schema/unknown-fields.ts";
import { type Revision, revisionResource } from "../revision.ts";
import { invalid } from "./field-problem.ts";
import { mutateRevision } from "./mutate-revision.ts";
import { type RevisionReview, validateRevision } from "./validate-revision.ts";

/** A manifest as it was written: what the schema would refuse or drop, else what the webhooks would say. */
export function lintRevision(manifest: unknown): RevisionReview {
  const { spec, metadata } = (manifest ?? {}) as Partial<Revision>;
  const broken = [
    ...schemaProblems(revisionResource.spec, spec, "spec"),
    ...unknownFields(structuralSchema(revisionResource.spec), spec, "spec"),
  ];
  if (broken.length > 0) return { problems: broken.map(({ path, message }) => invalid(path, message)), warnings: [] };
  return validateRevision(mutateRevision({ ...(manifest as Revision), metadata: metadata ?? { name: "" } }));
}
