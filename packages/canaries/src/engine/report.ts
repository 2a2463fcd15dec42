// How a decision is told: status, conditions and gates from one description of where the release stands.
import type { Canary, CanaryStatus } from "@chaski/api";
import { type Condition, type ConditionClaim, formatTimestamp, setCondition } from "@chaski/kube";
import { firstClosed, type Gate, type Stall } from "@chaski/runtime/decision";

export interface Progress {
  /** What this type of release adds to the status. */
  readonly status: CanaryStatus;
  readonly gates: readonly Gate[];
  readonly phase: "Progressing" | "Paused" | "Complete";
  /** Why it can't go on by itself. */
  readonly stall?: Stall;
}

const PHASE_MESSAGES = {
  Progressing: "the release is under way",
  Paused: "the release waits for an approval",
  Complete: "all that was asked for is available",
} as const;

export function reportStatus(canary: Canary, nowMs: number, progress: Progress): CanaryStatus {
  const { generation } = canary.metadata;
  return {
    ...progress.status,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    conditions: [...conditionsOf(canary, nowMs, progress)],
  };
}

function conditionsOf({ metadata, status }: Canary, nowMs: number, progress: Progress): readonly Condition[] {
  const { phase, stall } = progress;
  const message = stall?.message ?? firstClosed(progress.gates)?.message ?? PHASE_MESSAGES[phase];
  const reason = stall?.reason ?? phase;
  const claims: readonly Omit<ConditionClaim, "observedGeneration">[] = [
    { type: "Ready", status: phase === "Complete" && !stall ? "True" : "False", reason, message },
    { type: "Progressing", status: phase === "Progressing" && !stall ? "True" : "False", reason, message },
    stall
      ? { type: "Stalled", status: "True", reason, message }
      : { type: "Stalled", status: "False", reason: "NotStalled", message: "nothing prevents the release from going on" },
  ];
  const { generation } = metadata;
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  const now = formatTimestamp(nowMs);
  return claims.reduce<readonly Condition[]>(
    (conditions, claim) => setCondition(conditions, { ...claim, ...observed }, now),
    (status?.conditions ?? []) as readonly Condition[],
  );
}
