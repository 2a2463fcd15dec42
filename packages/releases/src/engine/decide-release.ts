// The decision about one ReleaseManager: what is decided, as objects.
import type { ReleaseManagerStatus } from "@chaski/api";
import { type ClusterDesired, type Decision, decision } from "@chaski/runtime/decision";
import { buildEntries } from "../objects/entries/build-entries.ts";
import { decideOutcome, stalled } from "./decide-outcome.ts";
import { fleetOf } from "./fleet.ts";
import type { Outcome } from "./outcome.ts";
import type { ReleaseWorld } from "./world.ts";

/** Pure and total: what should never happen is a stall that says so, and everything stays. */
export function decideRelease(world: ReleaseWorld): Decision<ReleaseManagerStatus> {
  try {
    return decisionOf(decideOutcome(world));
  } catch (error) {
    const message = `this release can't be decided: ${error instanceof Error ? error.message : String(error)}`;
    return decisionOf(stalled(world, fleetOf(world), { reason: "InternalError", message }));
  }
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
