import type { CanaryStatus } from "@chaski/api";
import type { EventNote, Gate } from "@chaski/runtime/decision";
import { note } from "./batch-events.ts";
import type { Draining } from "./draining.ts";
import { availabilityGate, drainGate, obstacleGate, specGate } from "./gates.ts";
import type { CanaryWorld } from "./world.ts";

export function rollbackGates({ restoredName, restored, drainedName, drained, total }: Draining): readonly Gate[] {
  return [
    specGate(),
    obstacleGate(),
    availabilityGate(restoredName, restored, total),
    drainGate(drainedName, drained, 0),
  ];
}

export function rollbackInfo({ restored, drained }: Draining, isDone: boolean): CanaryStatus {
  return {
    info: { rollbackStatus: isDone ? "Finished" : "Ing" },
    availableReplicas: restored.available + drained.available,
    paused: false,
  };
}

export function rollbackEvents({ canary }: CanaryWorld, isDone: boolean): readonly EventNote[] {
  const before = canary.status?.info?.["rollbackStatus"];
  return [
    ...(before === undefined ? [note("RollbackStarted", "going back to the older version")] : []),
    ...(isDone && before !== "Finished" ? [note("RollbackFinished", "the older version serves again")] : []),
  ];
}
