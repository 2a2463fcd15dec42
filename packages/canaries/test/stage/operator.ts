import type { Clock, Random } from "@chaski/clock";
import type { Transport } from "@chaski/kube";
import { createRuntime, type Runtime, silentLogger, undisputed } from "@chaski/runtime";
import { canaryController } from "../../src/index.ts";

/** The wing's controller on a cluster, alone and quiet. */
export function newOperator(delivery: { transport: Transport }, time: { clock: Clock; random: Random }): Runtime {
  return createRuntime({
    name: "chaski",
    instance: "test",
    version: "0.0.0",
    delivery: { name: "test", ...delivery },
    controllers: [canaryController({ concurrency: 2 })],
    ...time,
    log: silentLogger,
    leadership: undisputed,
    isFrozen: true,
  });
}
