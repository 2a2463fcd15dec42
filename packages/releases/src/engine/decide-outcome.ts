// What happens to a release next, as plans; the objects are built from them.
import { releaseKeys } from "@chaski/api";
import { type Gate, type Stall, withSince } from "@chaski/runtime/decision";
import { decideDeletion, decideOrphan, unchanged } from "./decide-ending.ts";
import { decidePass } from "./decide-pass.ts";
import { type Fleet, fleetOf } from "./fleet.ts";
import { namesakeStall, olderNamesake } from "./namesakes.ts";
import type { Outcome } from "./outcome.ts";
import { stalledClaim, statusOf } from "./report.ts";
import { settingsOf } from "./settings.ts";
import { timestampText } from "./time-text.ts";
import type { ReleaseWorld } from "./world.ts";

/** Every gate says since when: where nothing else tells, since it was first told. */
export function decideOutcome(world: ReleaseWorld): Outcome {
  const outcome = decideGated(world);
  const before = world.releaseManager.status?.gates ?? [];
  return { ...outcome, gates: withSince(outcome.gates, before, timestampText(world.nowMs)) };
}

function decideGated(world: ReleaseWorld): Outcome {
  const fleet = fleetOf(world);
  const { metadata, spec } = world.releaseManager;
  if (metadata.deletionTimestamp !== undefined) return decideDeletion(world, fleet);
  if (metadata.labels?.[releaseKeys.labels.ignore] !== undefined) {
    const label = releaseKeys.labels.ignore;
    const message = `the label ${label} says to leave it alone`;
    return waiting(world, fleet, { name: "Ignored", message, unblock: `remove the label ${label}` });
  }
  const rival = olderNamesake(world);
  if (rival) return stalled(world, fleet, namesakeStall(world, rival));
  if (!world.revisions.some((revision) => settingsOf(revision, spec.target))) return decideOrphan(world, fleet);
  if (fleet.live.length === 0) {
    const message = `fleet ${spec.fleet} has no live cluster`;
    return waiting(world, fleet, { name: "LiveCluster", message, unblock: "a Cluster of the fleet is enabled" });
  }
  return decidePass(world, fleet);
}

function waiting(world: ReleaseWorld, fleet: Fleet, gate: Omit<Gate, "verdict">): Outcome {
  return { ...unchanged(world, fleet), gates: [{ ...gate, verdict: "waiting" }] };
}

/** Nothing can be done until something changes; everything that is ours stays. */
export function stalled(world: ReleaseWorld, fleet: Fleet, stall: Stall): Outcome {
  const { revisions = [], rollback, orphanedSince } = world.releaseManager.status ?? {};
  return {
    ...unchanged(world, fleet),
    status: statusOf(world, { revisions, rollback, orphanedSince, claims: [stalledClaim(stall)] }),
    gates: [{ name: stall.reason, verdict: "failed", message: stall.message, unblock: "what the message asks for" }],
    stalled: stall,
  };
}
