// The decision about one ReleaseManager: what is decided, as objects.
import type { ReleaseManagerStatus } from "@chaski/api";
import { type ClusterDesired, type Decision, decision, type Step } from "@chaski/runtime/decision";
import { buildEntries } from "../objects/entries/build-entries.ts";
import { decideOutcome, stalled } from "./decide-outcome.ts";
import { fleetOf } from "./fleet.ts";
import type { Outcome } from "./outcome.ts";
import type { ReleaseWorld } from "./world.ts";

/** Pure and total: what should never happen is a stall that says so, and everything stays. */
export function decideRelease(world: ReleaseWorld): Decision<ReleaseManagerStatus> {
  const step = stepRelease(world);
  return step.complete(step.events);
}

/** The same, with the objects yet to be built. */
export function stepRelease(world: ReleaseWorld): Step<ReleaseManagerStatus> {
  const outcome = outcomeOf(world);
  return {
    ...outcome,
    complete: (events) => {
      try {
        return decisionOf({ ...outcome, events });
      } catch (error) {
        return decisionOf(stalledBy(error, world));
      }
    },
  };
}

function outcomeOf(world: ReleaseWorld): Outcome {
  try {
    return decideOutcome(world);
  } catch (error) {
    return stalledBy(error, world);
  }
}

function stalledBy(error: unknown, world: ReleaseWorld): Outcome {
  const message = `this release can't be decided: ${error instanceof Error ? error.message : String(error)}`;
  return stalled(world, fleetOf(world), { reason: "InternalError", message });
}

function decisionOf(outcome: Outcome): Decision<ReleaseManagerStatus> {
  const { status, gates, events, patches, wakeAtMs, stalled: stall, plan } = outcome;
  const entries = plan ? { ...outcome.entries, ...buildEntries(plan) } : outcome.entries;
  return decision({
    status,
    gates,
    events,
    patches,
    desired: Object.entries(entries).map(([cluster, list]): ClusterDesired => ({ cluster, entries: list })),
    ...(wakeAtMs === undefined ? {} : { wakeAtMs }),
    ...(stall ? { stalled: stall } : {}),
  });
}
