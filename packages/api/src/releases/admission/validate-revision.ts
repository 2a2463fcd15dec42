// What is wrong with a Revision (§3.2, D-33): the same answer in the webhook, in the controllers and in `chaski lint`.
import { stableJson } from "@chaski/kube";
import type { Problem } from "../../schema/problem.ts";
import type { Revision } from "../revision.ts";
import { type FieldProblem, invalid } from "./field-problem.ts";
import { podRules } from "./pod-rules.ts";
import { portRules } from "./port-rules.ts";
import { releaseRules } from "./release-rules.ts";
import type { TargetRule } from "./rule.ts";
import { specRules } from "./spec-rules.ts";
import { specWarnings } from "./warnings.ts";

export interface RevisionReview {
  /** Each of them is a reason to refuse it. */
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly Problem[];
}

const targetRules: readonly TargetRule[] = [...podRules, ...releaseRules, ...portRules];

/** `previous` is what an update changes: what was wrong before and is left alone is a warning, not a reason to refuse. */
export function validateRevision(revision: Revision, previous?: Revision): RevisionReview {
  const findings = [...targetFindings(revision, previous), ...specFindings(revision, previous)];
  return {
    problems: [
      ...findings.filter(({ isOld }) => !isOld).map(({ problem }) => problem),
      ...changedIdentity(revision, previous),
    ],
    warnings: [...findings.filter(({ isOld }) => isOld).map(({ problem }) => problem), ...specWarnings(revision.spec)],
  };
}

interface Finding {
  readonly problem: FieldProblem;
  readonly isOld: boolean;
}

function targetFindings({ spec }: Revision, previous: Revision | undefined): readonly Finding[] {
  return (spec.targets ?? []).flatMap((target, index) => {
    const before = previous?.spec.targets?.find(({ name }) => name === target.name);
    return targetRules.flatMap(({ fields, check }) => {
      const isOld = before !== undefined && isSame(fields(target), fields(before));
      return check(target, `spec.targets[${index}]`).map((problem) => ({ problem, isOld }));
    });
  });
}

function specFindings({ spec, metadata }: Revision, previous: Revision | undefined): readonly Finding[] {
  return specRules.flatMap(({ fields, check }) => {
    const isOld = previous !== undefined && isSame(fields(spec), fields(previous.spec));
    return check(spec, { namespace: metadata.namespace }).map((problem) => ({ problem, isOld }));
  });
}

/** Another build is another Revision. */
function changedIdentity({ spec: { app } }: Revision, previous: Revision | undefined): readonly FieldProblem[] {
  const before = previous?.spec.app;
  if (!before) return [];
  return (["name", "tag"] as const)
    .filter((field) => app?.[field] !== before[field])
    .map((field) =>
      invalid(`spec.app.${field}`, `can't be changed from ${JSON.stringify(before[field])}: create another Revision`),
    );
}

function isSame(a: unknown, b: unknown): boolean {
  return stableJson(a ?? null) === stableJson(b ?? null);
}
