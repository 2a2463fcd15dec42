// When a Revision is marked failed (§4.1-9, §12.5, §17.1, D-72).
import type { RevisionWorld } from "./decide-revision.ts";
import { isJudgeIgnored } from "./judges.ts";
import type { Placement } from "./revision-placement.ts";
import type { Evidence } from "./world.ts";

export interface Failure {
  readonly reason: "TestTimingOut" | "SloViolation" | "DatadogMonitorViolation";
  readonly message: string;
}

export function failureOf(world: RevisionWorld, placements: readonly Placement[]): Failure | undefined {
  if (world.revision.spec.failed) return undefined;
  const late = placements.find(({ entry }) => entry?.state.current === "timingout");
  if (late) return { reason: "TestTimingOut", message: `target ${late.target.name} is timing out` };
  const verdict = world.evidence.find((evidence) => doesCount(world, evidence));
  return verdict && isStillJudged(world, placements) ? violation(verdict) : undefined;
}

function doesCount({ revision }: RevisionWorld, { judge, verdict }: Evidence): boolean {
  return verdict === "fail" && !isJudgeIgnored(revision, judge);
}

/** The first target that may fail the Revision speaks for all (D-66); what it won against others is its peak (D-72). */
function isStillJudged({ judgeUntilPercent }: RevisionWorld, placements: readonly Placement[]): boolean {
  const speaker = placements.find(
    ({ target, entry }) => entry && (target.acceptanceTarget === true || target.name.includes("production")),
  );
  return speaker !== undefined && (speaker.entry?.wonPercent ?? 0) < judgeUntilPercent;
}

function violation({ judge, alerts = [] }: Evidence): Failure {
  const named = alerts.length > 0 ? `: ${alerts.join(", ")}` : "";
  return judge === "datadog"
    ? { reason: "DatadogMonitorViolation", message: `Datadog monitor violation${named}` }
    : { reason: "SloViolation", message: `SLO violation told by ${judge}${named}` };
}
