// From just before a write is sent until the handler of an informer runs.
import { until } from "@chaski/test/kube";
import { atMost, type Compared, type Line, shown } from "../line.ts";
import { blockLines } from "./block-lines.ts";
import type { Field, Side } from "./field.ts";
import type { LongestBlock } from "./loop-watch.ts";
import type { MeasuredProcess } from "./measured-process.ts";
import { mean } from "./mean.ts";

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

const WRITES_PER_SECOND = 200;

/** The anchor twice: by how much one differs from the other is what a run can't tell apart. */
const ON_JSON = ["ours", "go-json", "go-json"] as const;
const BY_DEFAULT = ["ours", "go-default"] as const;

type Seats = readonly ["ours", ...Exclude<Side, "ours">[]];

/** All watch the same writes at the same time, so that they meet the same pauses of the server. */
export async function benchLatency(field: Field, writes: number): Promise<Line[]> {
  const onJson = linesOf(field, "client-go on JSON, the slower of two", await runTurns(field, writes, ON_JSON));
  const blocks = await measureBlocks(field, writes);
  const byDefault = linesOf(field, "client-go's default", await runTurns(field, writes, BY_DEFAULT));
  return [
    ...onJson.map((compared) => atMost(1, compared)),
    ...blockLines(`${WRITES_PER_SECOND} writes/s`, [blocks]),
    ...byDefault.map(shown),
  ];
}

/** By seat. */
type Turn = readonly Latency[];

/**
 * Who begins to watch first hears of each event later, by several percent. So each seat is as often the first as any
 * other; then once more the other way round, for a machine that becomes slower meanwhile.
 */
async function runTurns(field: Field, writes: number, seats: Seats): Promise<readonly Turn[]> {
  const firsts = [...seats.keys()];
  const turns: Turn[] = [];
  for (const first of [...firsts, ...firsts.toReversed()]) turns.push(await runTurn(field, writes, seats, first));
  return turns;
}

async function runTurn(field: Field, writes: number, seats: Seats, first: number): Promise<Turn> {
  const readers = await startReaders(field, seats, first);
  // The event loop is measured by itself: the other sides have no such instrument that costs them CPU.
  for (const reader of readers) reader.say("unwatched");
  // An informer runs for weeks: what comes first, while V8 compiles what will be called often, counts for nobody.
  await measure(field, readers, writes);
  const latencies = await measure(field, readers, writes * 3);
  await Promise.all(readers.map((reader) => reader.end()));
  return latencies;
}

async function startReaders(field: Field, seats: Seats, first: number): Promise<readonly MeasuredProcess[]> {
  const readers = await Promise.all(seats.map((side) => field.informer(side, "ConfigMap")));
  for (const reader of [...readers.slice(first), ...readers.slice(0, first)]) await reader.ask("start");
  return readers;
}

async function measureBlocks(field: Field, writes: number): Promise<LongestBlock> {
  const readers = await startReaders(field, ON_JSON, 0);
  const [ours] = await measure(field, readers, writes);
  await Promise.all(readers.map((reader) => reader.end()));
  if (!ours) throw new Error("ours has a seat");
  return ours;
}

async function measure(field: Field, readers: readonly MeasuredProcess[], writes: number): Promise<Turn> {
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

const FIGURES = [
  { of: "event latency p50", unit: "ms", figure: ({ p50Ms }: Latency) => p50Ms },
  { of: "event latency p99", unit: "ms", figure: ({ p99Ms }: Latency) => p99Ms },
  { of: "CPU", unit: "s", figure: ({ cpuSeconds }: Latency) => cpuSeconds },
] as const;

/** The first seat against the slowest of the others. */
function linesOf(field: Field, anchor: string, turns: readonly Turn[]): Compared[] {
  return FIGURES.map(({ of, unit, figure }) => {
    const seats = turns[0]?.map((_, seat) => mean(turns.flatMap((turn) => turn[seat] ?? []).map(figure))) ?? [];
    const [ours = Number.NaN, ...anchors] = seats;
    const what = `${WRITES_PER_SECOND} writes/s on ${field.objects} ConfigMaps, against ${anchor}: ${of}`;
    return { what, unit, ours, anchor: Math.max(...anchors) };
  });
}
