// From just before a write is sent until the handler of an informer runs.
import { until } from "@chaski/test/kube";
import { atMost, below, type Line, shown } from "../line.ts";
import type { Field, Side } from "./field.ts";
import type { MeasuredProcess } from "./measured-process.ts";
import { medianOf } from "./median.ts";

interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuSeconds: number;
  readonly blockMs: number;
}

export interface Report {
  readonly events: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly blockMs?: number;
}

const ROUNDS = 3;
const WRITES_PER_SECOND = 200;

export async function benchLatency(field: Field, writes: number): Promise<Line[]> {
  const rounds: Record<Side, Latency[]> = { ours: [], "go-json": [], "go-default": [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of ["ours", "go-json", "go-default"] as const) {
      rounds[side].push(await measure(field, side, writes));
    }
  }
  return [
    ...compare(field, rounds, "go-json"),
    below(100, {
      what: `${WRITES_PER_SECOND} writes/s: longest event-loop block`,
      unit: "ms",
      ours: medianOf(rounds.ours, ({ blockMs }) => blockMs),
    }),
    ...compare(field, rounds, "go-default"),
  ];
}

async function measure(field: Field, side: Side, writes: number): Promise<Latency> {
  await using reader = await field.informer(side, "ConfigMap");
  await reader.ask("start");
  reader.say("reset");
  const cpuBefore = reader.cpuSeconds();
  await field.write(writes, WRITES_PER_SECOND);
  const { p50Ms, p99Ms, blockMs = 0 } = await seen(reader, writes);
  return { p50Ms, p99Ms, blockMs, cpuSeconds: reader.cpuSeconds() - cpuBefore };
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
