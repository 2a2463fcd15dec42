// The image of a release in progress is set back to the one that the older Deployment runs: the same as a rollback.
import type { BatchRequest, CanaryStatus } from "@chaski/api";
import type { Decision } from "@chaski/runtime/decision";
import { runs } from "../objects/template.ts";
import { adoption } from "./adoption.ts";
import { drainEntries, isDrained } from "./draining.ts";
import { revisionOf } from "./identity.ts";
import { decided } from "./outcome.ts";
import { rollbackEvents, rollbackGates, rollbackInfo } from "./rollback-report.ts";
import type { Pair } from "./side.ts";
import type { CanaryWorld } from "./world.ts";

export function isReturn({ canary }: CanaryWorld, request: BatchRequest, { older, newer }: Pair): boolean {
  const { name } = canary.metadata;
  if (!older.deployment || !runs(older.deployment, name, request.container)) return false;
  if (newer.deployment) return !runs(newer.deployment, name, request.container);
  // The newer one has gone already: what is left is to say so.
  return canary.status?.revision === revisionOf(request) && canary.status.info?.["rollbackStatus"] !== undefined;
}

export function decideReturn(
  world: CanaryWorld,
  request: BatchRequest,
  { older, newer }: Pair,
): Decision<CanaryStatus> {
  const draining = {
    restoredName: request.oldName,
    restored: older,
    drainedName: request.newName,
    drained: newer,
    total: request.replicas,
  };
  const isDone = isDrained(draining);
  return decided(world, {
    entries: [...adoption(world, request.oldName), ...drainEntries(world.canary, draining)],
    gates: rollbackGates(draining),
    events: rollbackEvents(world, isDone),
    status: {
      ...rollbackInfo(draining, isDone),
      type: request.type,
      image: request.container.image,
      revision: revisionOf(request),
      approvedBatch: 1,
      seenCurrentBatch: request.currentBatch,
    },
    phase: isDone ? "Complete" : "Progressing",
  });
}
