// From nothing to a full cache of ReplicaSets.
import { atMost, type Line, shown } from "../line.ts";
import { blockLines } from "./block-lines.ts";
import type { Field, Side } from "./field.ts";
import type { LongestBlock } from "./loop-watch.ts";
import { medianOf } from "./median.ts";

interface Sync {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly rssMb: number;
  readonly peakRssMb: number;
  readonly blockMs: number;
  readonly blockCpuMs: number;
}

const ROUNDS = 3;
/** Memory is weighed when the rush is over, on both sides alike. */
const SETTLE_MS = 2_000;

export async function benchSync(field: Field): Promise<Line[]> {
  const rounds: Record<Side, Sync[]> = { ours: [], "go-json": [], "go-default": [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of ["ours", "go-json", "go-default"] as const) rounds[side].push(await syncOnce(field, side));
  }
  return [
    ...compare(field, rounds, "go-json"),
    ...blockLines(`${field.objects} ReplicaSets`, rounds.ours),
    ...compare(field, rounds, "go-default"),
  ];
}

async function syncOnce(field: Field, side: Side): Promise<Sync> {
  await using reader = await field.informer(side, "ReplicaSet");
  const cpuBefore = reader.cpuSeconds();
  const { syncedMs, objects, blockMs = 0, blockCpuMs = 0 } = await reader.ask<Synced>("start");
  const cpuSeconds = reader.cpuSeconds() - cpuBefore;
  if (objects !== field.objects) throw new Error(`${side} has ${objects} of ${field.objects} objects`);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const memory = { rssMb: reader.rssMb(), peakRssMb: reader.peakRssMb() };
  return { seconds: syncedMs / 1_000, cpuSeconds, blockMs, blockCpuMs, ...memory };
}

interface Synced extends Partial<LongestBlock> {
  readonly syncedMs: number;
  readonly objects: number;
}

function compare(field: Field, rounds: Record<Side, Sync[]>, anchor: "go-json" | "go-default"): Line[] {
  const hasGoal = anchor === "go-json";
  const name = hasGoal ? "client-go on JSON" : "client-go's default";
  const figures = [
    { of: "time to synced", unit: "s", times: 1, figure: ({ seconds }: Sync) => seconds },
    { of: "CPU", unit: "s", times: 1, figure: ({ cpuSeconds }: Sync) => cpuSeconds },
    { of: "RSS", unit: "MB", times: 1.5, figure: ({ rssMb }: Sync) => rssMb },
    { of: "peak RSS", unit: "MB", times: undefined, figure: ({ peakRssMb }: Sync) => peakRssMb },
  ];
  return figures.map(({ of, unit, times, figure }) => {
    const what = `${field.objects} ReplicaSets, against ${name}: ${of}`;
    const compared = { what, unit, ours: medianOf(rounds.ours, figure), anchor: medianOf(rounds[anchor], figure) };
    return hasGoal && times !== undefined ? atMost(times, compared) : shown(compared);
  });
}
