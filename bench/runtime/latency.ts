// From just before a write is sent until the handler of an informer runs.
import { until } from "@chaski/test/kube";
import { atMost, type Line, shown } from "../line.ts";
import { blockLines } from "./block-lines.ts";
import type { Field, Side } from "./field.ts";
import type { LongestBlock } from "./loop-watch.ts";
import type { MeasuredProcess } from "./measured-process.ts";
import { medianOf } from "./median.ts";

interface Latency extends LongestBlock {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuSeconds: number;
}

interface Report extends Partial<LongestBlock> {
  readonly events: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const ROUNDS = 3;
const WRITES_PER_SECOND = 200;
const SIDES = ["ours", "go-json", "go-default"] as const;

/** All sides watch the same writes at the same time, so that they meet the same pauses of the server. */
export async function benchLatency(field: Field, writes: number): Promise<Line[]> {
  const readers = await Promise.all(SIDES.map((side) => field.informer(side, "ConfigMap")));
  for (const reader of readers) await reader.ask("start");
  // The event loop is measured in a round of its own: the other sides have no such instrument that costs them CPU.
  for (const reader of readers) reader.say("unwatched");
  const rounds: Record<Side, Latency[]> = { ours: [], "go-json": [], "go-default": [] };
  for (let round = 0; round < ROUNDS; round++) {
    const measured = await measure(field, readers, writes);
    SIDES.forEach((side, index) => rounds[side].push(measured[index] as Latency));
  }
  for (const reader of readers) reader.say("watched");
  const [watched] = await measure(field, readers, writes);
  await Promise.all(readers.map((reader) => reader.end()));
  return [
    ...compare(field, rounds, "go-json"),
    ...blockLines(`${WRITES_PER_SECOND} writes/s`, watched ? [watched] : []),
    ...compare(field, rounds, "go-default"),
  ];
}

async function measure(field: Field, readers: readonly MeasuredProcess[], writes: number): Promise<Latency[]> {
  for (const reader of readers) reader.say("reset");
  const cpuBefore = readers.map((reader) => reader.cpuSeconds());
  await field.write(writes, WRITES_PER_SECOND);
  return Promise.all(
    readers.map(async (reader, index) => {
      const { p50Ms, p99Ms, blockMs = 0, blockCpuMs = 0 } = await seen(reader, writes);
      return { p50Ms, p99Ms, blockMs, blockCpuMs, cpuSeconds: reader.cpuSeconds() - (cpuBefore[index] ?? 0) };
    }),
  );
}

/** The report of a reader that has seen so many events; none may be lost. */
export async function seen(reader: MeasuredProcess, events: number): Promise<Report> {
  return until(
    async () => {
      const report = await reader.ask<Report>("report");
      return report.events >= events ? report : undefined;
    },
    { what: `${events} events have arrived`, everyMs: 200, withinMs: 60_000 },
  );
}

function compare(field: Field, rounds: Record<Side, Latency[]>, anchor: "go-json" | "go-default"): Line[] {
  const hasGoal = anchor === "go-json";
  const name = hasGoal ? "client-go on JSON" : "client-go's default";
  const figures = [
    { of: "event latency p50", unit: "ms", figure: ({ p50Ms }: Latency) => p50Ms },
    { of: "event latency p99", unit: "ms", figure: ({ p99Ms }: Latency) => p99Ms },
    { of: "CPU", unit: "s", figure: ({ cpuSeconds }: Latency) => cpuSeconds },
  ];
  return figures.map(({ of, unit, figure }) => {
    const what = `${WRITES_PER_SECOND} writes/s on ${field.objects} ConfigMaps, against ${name}: ${of}`;
    const compared = { what, unit, ours: medianOf(rounds.ours, figure), anchor: medianOf(rounds[anchor], figure) };
    return hasGoal ? atMost(1, compared) : shown(compared);
  });
}
