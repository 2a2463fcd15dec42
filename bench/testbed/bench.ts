// How long a test waits for its control plane.
import { startControlPlane } from "@chaski/test/kube";
import type { BenchOptions } from "../bench-options.ts";
import { below, type Line } from "../line.ts";

const ROUNDS = 3;

export async function benchTestbed({ log }: Pick<BenchOptions, "log">): Promise<Line[]> {
  const alone: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    log(`one control plane, ${round + 1} of ${ROUNDS}`);
    alone.push(await secondsUntilReady(1));
  }
  log("four at once");
  const together = await secondsUntilReady(4);
  return [
    below(8, { what: "one control plane is ready, the slowest of three starts", unit: "s", ours: Math.max(...alone) }),
    below(16, { what: "four control planes side by side are ready", unit: "s", ours: together }),
  ];
}

async function secondsUntilReady(count: number): Promise<number> {
  const startMs = performance.now();
  const planes = await Promise.all(Array.from({ length: count }, () => startControlPlane({ name: "bench" })));
  const seconds = (performance.now() - startMs) / 1_000;
  await Promise.all(planes.map((plane) => plane.stop()));
  return seconds;
}
