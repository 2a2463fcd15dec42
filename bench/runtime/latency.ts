// From just before a write is sent until the handler of an informer runs.
import { until } from "@chaski/test/kube";
import { atMost, type Line, shown } from "../line.ts";
import { blockLines } from "./block-lines.ts";
import type { Field } from "./field.ts";
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

type Anchor = "go-json" | "go-default";
type Pair = "ours" | "anchor";

/** Each pair watches the same writes at the same time, so that both meet the same pauses of the server. */
export async function benchLatency(field: Field, writes: number): Promise<Line[]> {
  return [
    ...(await compare(field, writes, "go-json")),
    ...blockLines(`${WRITES_PER_SECOND} writes/s`, [await measureBlocks(field, writes)]),
    ...(await compare(field, writes, "go-default")),
  ];
}

/**
 * Who begins to watch first hears of each event later, by several percent. So each is the first as often as the other,
 * and a machine that becomes slower meanwhile is so for both.
 */
const TURNS: readonly (readonly Pair[])[] = [
  ["ours", "anchor"],
  ["anchor", "ours"],
  ["anchor", "ours"],
  ["ours", "anchor"],
];

async function runTurn(field: Field, writes: number, anchor: Anchor, order: readonly Pair[]): Promise<Both> {
  const readers = await startReaders(field, anchor, order);
  // The event loop is measured by itself: the other side has no such instrument that costs it CPU.
  readers.ours.say("unwatched");
  // An informer runs for weeks: what comes first, while V8 compiles what will be called often, counts for nobody.
  await measure(field, readers, writes);
  const latencies = await measure(field, readers, writes * 3);
  await Promise.all([readers.ours.end(), readers.anchor.end()]);
  return latencies;
}

type Readers = Readonly<Record<Pair, MeasuredProcess>>;
type Both = Readonly<Record<Pair, Latency>>;

async function startReaders(field: Field, side: Anchor, order: readonly Pair[]): Promise<Readers> {
  const [ours, anchor] = [await field.informer("ours", "ConfigMap"), await field.informer(side, "ConfigMap")];
  const readers = { ours, anchor };
  for (const which of order) await readers[which].ask("start");
  return readers;
}

async function measureBlocks(field: Field, writes: number): Promise<LongestBlock> {
  const readers = await startReaders(field, "go-json", ["ours", "anchor"]);
  const { ours } = await measure(field, readers, writes);
  await Promise.all([readers.ours.end(), readers.anchor.end()]);
  return ours;
}

async function measure(field: Field, readers: Readers, writes: number): Promise<Both> {
  const before = { ours: readers.ours.cpuSeconds(), anchor: readers.anchor.cpuSeconds() };
  for (const reader of [readers.ours, readers.anchor]) reader.say("reset");
  await field.write(writes, WRITES_PER_SECOND);
  const of = async (which: Pair): Promise<Latency> => {
    const { p50Ms, p99Ms, blockMs = 0, blockCpuMs = 0 } = await seen(readers[which], writes);
    return { p50Ms, p99Ms, blockMs, blockCpuMs, cpuSeconds: readers[which].cpuSeconds() - before[which] };
  };
  const [ours, anchor] = await Promise.all([of("ours"), of("anchor")]);
  return { ours, anchor };
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

async function compare(field: Field, writes: number, anchor: Anchor): Promise<Line[]> {
  const turns: Both[] = [];
  for (const order of TURNS) turns.push(await runTurn(field, writes, anchor, order));
  const hasGoal = anchor === "go-json";
  const name = hasGoal ? "client-go on JSON" : "client-go's default";
  return FIGURES.map(({ of, unit, figure }) => {
    const what = `${WRITES_PER_SECOND} writes/s on ${field.objects} ConfigMaps, against ${name}: ${of}`;
    const meanOf = (which: Pair): number => mean(turns.map((turn) => figure(turn[which])));
    const compared = { what, unit, ours: meanOf("ours"), anchor: meanOf("anchor") };
    return hasGoal ? atMost(1, compared) : shown(compared);
  });
}
