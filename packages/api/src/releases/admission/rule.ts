import type { RevisionSpec } from "../revision.ts";
import type { RevisionTarget } from "../target.ts";
import type { FieldProblem } from "./field-problem.ts";

/** A rule about one target. */
export interface TargetRule {
  /** What it looks at: an update that leaves this alone is not refused for it. */
  readonly fields: (target: RevisionTarget) => unknown;
  /** `path` is the target's: `spec.targets[0]`. */
  readonly check: (target: RevisionTarget, path: string) => readonly FieldProblem[];
}

/** A rule about the Revision as a whole. */
export interface SpecRule {
  readonly fields: (spec: RevisionSpec) => unknown;
  readonly check: (spec: RevisionSpec, context: SpecContext) => readonly FieldProblem[];
}

export interface SpecContext {
  /** Where the Revision is. */
  readonly namespace: string | undefined;
}
