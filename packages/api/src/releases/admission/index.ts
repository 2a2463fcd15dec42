export { type FieldProblem, type ProblemReason } from "./field-problem.ts";
export { lintRevision } from "./lint-revision.ts";
export { revisionMatchConditions } from "./match-conditions.ts";
export { mutateRevision, mutateTarget } from "./mutate-revision.ts";
export { deletionProblems } from "./release-manager-deletion.ts";
export { type RevisionReview, validateRevision } from "./validate-revision.ts";
