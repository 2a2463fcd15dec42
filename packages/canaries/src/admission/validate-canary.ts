import { Canary, describeProblems, parseCanary } from "@chaski/api";
import { type AdmissionHandler, validator } from "@chaski/runtime";

/** Refuses at `kubectl apply` what the controller would stall on, in the same words. */
export const validateCanary: AdmissionHandler = validator({
  path: "/validate-canary",
  kind: Canary,
  validate: ({ object }) => {
    const parsed = object && parseCanary(object.metadata.name, object.spec);
    return !parsed || parsed.isValid
      ? { isAllowed: true }
      : { isAllowed: false, message: describeProblems(parsed.problems) };
  },
});
