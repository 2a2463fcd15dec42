import { Canary, describeProblems, parseCanary } from "@chaski/api";
import { type Admission, type AdmissionHandler, type AdmissionVerdict, validator } from "@chaski/runtime";

/** Refuses at `kubectl apply` what the controller would stall on, in the same words; and a deletion that breaks Retain. */
export const validateCanary: AdmissionHandler = validator({
  path: "/validate-canary",
  kind: Canary,
  validate: (admission) => (admission.operation === "DELETE" ? validateDeletion(admission) : validateSpec(admission)),
});

function validateSpec({ object }: Admission<Canary>): AdmissionVerdict {
  const parsed = object && parseCanary(object.metadata.name, object.spec);
  return !parsed || parsed.isValid
    ? { isAllowed: true }
    : { isAllowed: false, message: describeProblems(parsed.problems) };
}

const IN_FOREGROUND =
  "deletionPolicy is Retain, and a deletion in the foreground would have the Deployments deleted before they can be given back: delete the Canary without --cascade=foreground, or set deletionPolicy: Delete";

/** Garbage collection deletes all that is owned at once then, whatever a finalizer waits for. */
function validateDeletion({ old, propagation }: Admission<Canary>): AdmissionVerdict {
  const parsed = old && parseCanary(old.metadata.name, old.spec);
  const retains = parsed?.isValid === true && parsed.request.deletionPolicy === "Retain";
  return retains && propagation === "Foreground" ? { isAllowed: false, message: IN_FOREGROUND } : { isAllowed: true };
}
