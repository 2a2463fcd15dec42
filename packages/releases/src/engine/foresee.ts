// What a person is shown before a roll-back, by the rule that the roll-back itself will follow.
import { fleetOf } from "./fleet.ts";
import { incarnationsOf } from "./incarnation.ts";
import { findTaker } from "./rollback.ts";
import { defaultFlags, type ReleaseWorld } from "./world.ts";

/** The tag that would take over if this one failed now; undefined if none can. */
export function takerIfFailed(
  { releaseManager, revisions, nowMs }: Pick<ReleaseWorld, "nowMs" | "releaseManager" | "revisions">,
  failing: string,
): string | undefined {
  const nothing = { clusters: [], faults: [], configs: [], evidence: {}, namesakes: [], calendars: [] };
  const world: ReleaseWorld = { ...nothing, flags: defaultFlags, releaseManager, revisions, nowMs };
  const others = incarnationsOf(world, fleetOf(world)).filter(({ tag }) => tag !== failing);
  return findTaker(others)?.tag;
}
