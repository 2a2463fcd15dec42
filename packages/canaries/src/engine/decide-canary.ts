// What happens to a Canary next. One file per type of release; what they share is the pair of Deployments.
import { type CanaryStatus, describeProblems, parseCanary } from "@chaski/api";
import { type Decision, decision } from "@chaski/runtime/decision";
import { decideBatch } from "./decide-batch.ts";
import { decideDeletion } from "./decide-deletion.ts";
import { decideNormal } from "./decide-normal.ts";
import { decideRollback } from "./decide-rollback.ts";
import { retainPatches } from "./finalizer.ts";
import { obstacleGate, specGate } from "./gates.ts";
import { findObstacle } from "./obstacles.ts";
import { halted } from "./outcome.ts";
import type { CanaryWorld } from "./world.ts";

export function decideCanary(world: CanaryWorld): Decision<CanaryStatus> {
  const { canary } = world;
  if (canary.metadata.deletionTimestamp !== undefined) return decideDeletion(world);

  const parsed = parseCanary(canary.metadata.name, canary.spec);
  if (!parsed.isValid) {
    const problem = describeProblems(parsed.problems);
    return halted(world, { reason: "InvalidSpec", message: problem }, [specGate(problem)]);
  }
  const { request } = parsed;
  // Retain needs its finalizer before anything is touched, Delete must not have it.
  const patches = retainPatches(canary, request.deletionPolicy === "Retain");
  if (patches.length > 0) return decision({ patches });

  const obstacle = findObstacle(world, request);
  if (obstacle) return halted(world, obstacle, [specGate(), obstacleGate(obstacle)]);
  switch (request.type) {
    case "NormalDeploy":
      return decideNormal(world, request);
    case "CanaryDeploy":
      return decideBatch(world, request);
    case "CanaryRollback":
      return decideRollback(world, request);
  }
}
