// What the API server asks before it stores a Revision or deletes a ReleaseManager. The rules themselves are the API's.
import {
  deletionProblems,
  describeProblems,
  mutateRevision,
  type Problem,
  ReleaseManager,
  Revision,
  validateRevision,
} from "@chaski/api";
import { type AdmissionHandler, mutator, validator } from "@chaski/runtime";

/** Paths that the replaced operator serves too. */
export const ADMISSION_PATHS = {
  mutateRevision: "/mutate-picchu-medium-engineering-v1alpha1-revision",
  validateRevision: "/validate-picchu-medium-engineering-v1alpha1-revision",
  validateReleaseManager: "/validate-picchu-medium-engineering-v1alpha1-releasemanager",
} as const;

export const releaseAdmission: readonly AdmissionHandler[] = [
  mutator({ path: ADMISSION_PATHS.mutateRevision, kind: Revision, mutate: mutateRevision }),
  validator({
    path: ADMISSION_PATHS.validateRevision,
    kind: Revision,
    validate: ({ object, old }) => {
      if (!object) return { isAllowed: true };
      const { problems, warnings } = validateRevision(object, old);
      return { ...verdictOn(problems), warnings: warnings.map((warning) => describeProblems([warning])) };
    },
  }),
  validator({
    path: ADMISSION_PATHS.validateReleaseManager,
    kind: ReleaseManager,
    validate: ({ operation, old }) => verdictOn(operation === "DELETE" && old ? deletionProblems(old) : []),
  }),
];

function verdictOn(problems: readonly Problem[]) {
  return problems.length === 0
    ? ({ isAllowed: true } as const)
    : ({ isAllowed: false, message: describeProblems(problems) } as const);
}
