// What a Revision's status tells.
import type { RevisionStatus } from "@chaski/api";
import { type ConditionClaim, findCondition, isTrue } from "@chaski/kube";
import type { RevisionWorld } from "./decide-revision.ts";
import type { Failure } from "./revision-failure.ts";
import type { Placement } from "./revision-placement.ts";

const NOTHING = { state: { current: "created" }, currentPercent: 0, peakPercent: 0 };

export function targetStatus({ target, entry }: Placement): RevisionStatus["targets"][number] {
  const { state, currentPercent, peakPercent } = entry ?? NOTHING;
  const { Current: current = 0, Desired: desired = 0, Peak: peak = 0 } = entry?.scale ?? {};
  return {
    name: target.name,
    scale: { current, desired, peak },
    release: { currentPercent, peakPercent },
    state: state.current,
  };
}

export function revisionClaims(
  world: RevisionWorld,
  placements: readonly Placement[],
  failure: Failure | undefined,
): readonly ConditionClaim[] {
  return [releasedClaim(world, placements), failedClaim(world, failure), placedClaim(placements)];
}

/** True only if every eligible target was observed to be released, on every live cluster. */
function releasedClaim({ revision }: RevisionWorld, placements: readonly Placement[]): ConditionClaim {
  const eligible = placements.filter(({ target }) => target.release?.eligible === true);
  if (eligible.length === 0)
    return { type: "Released", status: "False", reason: "NotEligible", message: "no target is eligible for a release" };
  const wasReleased = isTrue(revision.status?.conditions, "Released");
  const waiting = eligible.filter((placement) => !isReleased(placement, wasReleased));
  if (waiting.length === 0)
    return {
      type: "Released",
      status: "True",
      reason: "Released",
      message: `released to ${eligible.map(({ target }) => target.name).join(", ")}`,
    };
  const message = waiting.map(
    ({ target, entry }) => `${target.name} is ${entry?.state.current ?? "created"} at ${entry?.currentPercent ?? 0} %`,
  );
  return { type: "Released", status: "False", reason: "Progressing", message: message.join("; ") };
}

/** Once it was seen to be, the split of a later revision that is on its way takes nothing from that. */
function isReleased({ entry, releaseManager }: Placement, wasReleased: boolean): boolean {
  const isHere = entry?.state.current === "released" && entry.currentPercent > 0;
  return isHere && (wasReleased || isTrue(releaseManager?.status?.conditions, "SplitObserved"));
}

/** Why it failed is told by whoever marked it, and stays told. */
function failedClaim({ revision }: RevisionWorld, failure: Failure | undefined): ConditionClaim {
  if (failure) return { type: "Failed", status: "True", reason: failure.reason, message: failure.message };
  if (!revision.spec.failed)
    return { type: "Failed", status: "False", reason: "NotFailed", message: "nothing speaks against it" };
  const before = findCondition(revision.status?.conditions, "Failed");
  if (before?.status === "True")
    return { type: "Failed", status: "True", reason: before.reason, message: before.message };
  return { type: "Failed", status: "True", reason: "MarkedFailed", message: "spec.failed says so" };
}

function placedClaim(placements: readonly Placement[]): ConditionClaim {
  const contested = placements.find(({ rival }) => rival);
  if (!contested?.rival)
    return { type: "Placed", status: "True", reason: "Placed", message: "each target has its ReleaseManager" };
  const { app, target } = contested.rival.spec;
  const message = `target ${contested.target.name} can't be released: ReleaseManager ${contested.name} belongs to app ${app} and target ${target}; rename the app or the target`;
  return { type: "Placed", status: "False", reason: "NameContested", message };
}
