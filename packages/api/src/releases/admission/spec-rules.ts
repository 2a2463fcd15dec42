import { type FieldProblem, duplicate, forbidden, required } from "./field-problem.ts";
import type { SpecRule } from "./rule.ts";

const someTargets: SpecRule = {
  fields: ({ targets }) => targets,
  check: ({ targets }) =>
    (targets ?? []).length > 0 ? [] : [required("spec.targets", "is empty, so nothing would run: add a target")],
};

const uniqueTargets: SpecRule = {
  fields: ({ targets }) => targets?.map(({ name }) => name),
  check: ({ targets }) => {
    const names = (targets ?? []).map(({ name }) => name);
    return names.flatMap((name, index): readonly FieldProblem[] => {
      const first = names.indexOf(name);
      if (first === index) return [];
      return [
        duplicate(
          `spec.targets[${index}].name`,
          `${JSON.stringify(name)} is also the name of targets[${first}]: give each target a name of its own`,
        ),
      ];
    });
  },
};

/** Namespaces of the cluster and of the mesh: a release makes its namespace its own, and removes it in the end. */
const RESERVED = /^(?:kube-.*|istio-(?:system|ingress|gateway|egress)|cert-manager|external-secrets|chaski-system)$/;

const ownNamespace: SpecRule = {
  fields: ({ app, targets }) => [app?.name, targets?.map(({ name }) => name)],
  check: ({ app, targets }, context) =>
    (targets ?? []).flatMap(({ name }, index): readonly FieldProblem[] => {
      const namespace = `${app?.name}-${name}`;
      if (!RESERVED.test(namespace) && namespace !== context.namespace) return [];
      const whose = namespace === context.namespace ? "the one of the Revision itself" : "reserved";
      return [
        forbidden(
          `spec.targets[${index}].name`,
          `its namespace would be ${namespace}, which is ${whose}: rename the app or the target`,
        ),
      ];
    }),
};

export const specRules: readonly SpecRule[] = [someTargets, uniqueTargets, ownNamespace];
