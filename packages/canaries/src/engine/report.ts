// How a decision is told: status, conditions and gates from one description of where the release stands.
import type { Canary, CanaryStatus } from "@chaski/api";
import { type ConditionClaim, defined, formatTimestamp, setConditions } from "@chaski/kube";
import { firstClosed, type Gate, type Stall } from "@chaski/runtime/decision";

export interface Progress {
  /** What this type of release adds to the status. */
  readonly status: CanaryStatus;
  readonly gates: readonly Gate[];
  readonly phase: "Progressing" | "Paused" | "Complete";
  /** Why it can't go on by itself. */
  readonly stall?: Stall | undefined;
}

const PHASE_MESSAGES = {
  Progressing: "the release is under way",
  Paused: "the release waits for an approval",
  Complete: "all that was asked for is available",
} as const;

export function reportStatus(canary: Canary, nowMs: number, progress: Progress): CanaryStatus {
  const observedGeneration = canary.metadata.generation;
  const claims = claimsOf(progress).map((claim) => defined({ ...claim, observedGeneration }));
  const conditions = setConditions(canary.status?.conditions, claims, formatTimestamp(nowMs));
  return defined({ ...progress.status, observedGeneration, conditions });
}

function claimsOf({ phase, stall, gates }: Progress): readonly ConditionClaim[] {
  const message = stall?.message ?? firstClosed(gates)?.message ?? PHASE_MESSAGES[phase];
  const reason = stall?.reason ?? phase;
  return [
    { type: "Ready", status: truth(phase === "Complete" && !stall), reason, message },
    { type: "Progressing", status: truth(phase === "Progressing" && !stall), reason, message },
    stall ? { type: "Stalled", status: "True", reason, message } : NOT_STALLED,
  ];
}

const NOT_STALLED: ConditionClaim = {
  type: "Stalled",
  status: "False",
  reason: "NotStalled",
  message: "nothing prevents the release from going on",
};

function truth(claim: boolean): "True" | "False" {
  return claim ? "True" : "False";
}
