// Which judges count. One that is not configured is not asked and holds nothing; where a revision wants it, a condition says so (§12.5).
import type { Revision } from "@chaski/api";
import type { ConditionClaim } from "@chaski/kube";
import type { Incarnation } from "./incarnation.ts";
import type { ReleaseWorld } from "./world.ts";

export function judgeClaims(
  { flags: { judges } }: ReleaseWorld,
  incarnations: readonly Incarnation[],
): readonly ConditionClaim[] {
  if (!judges) return [];
  const missing = [...new Set(incarnations.flatMap(wantedJudges))]
    .filter((judge) => !judges.includes(judge))
    .toSorted();
  return [missing.length > 0 ? notConfigured(missing) : CONFIGURED];
}

/** A Revision may forbid a judge to speak about it; the verdict is still shown. */
export function isJudgeIgnored({ spec }: Revision, judge: string): boolean {
  return judge === "datadog" ? spec.ignoreDatadogCanary === true : spec.ignoreSLOs === true;
}

function wantedJudges({ settings }: Incarnation): readonly string[] {
  if (!settings) return [];
  return [...(settings.objectiveCount > 0 ? ["prometheus"] : []), ...(settings.isDatadog ? ["datadog"] : [])];
}

function notConfigured(missing: readonly string[]): ConditionClaim {
  const message = `a revision wants to be judged by ${missing.join(" and ")}, which is not configured: nothing holds it`;
  return { type: "JudgeNotConfigured", status: "True", reason: "NotConfigured", message };
}

const CONFIGURED: ConditionClaim = {
  type: "JudgeNotConfigured",
  status: "False",
  reason: "Configured",
  message: "every judge that a revision wants is configured",
};
