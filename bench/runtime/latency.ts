// From just before a write is sent until the handler of an informer runs.
import { until } from "@chaski/test/kube";
import { atMost, type Line, shown } from "../line.ts";
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

const ROUNDS = 2;
const WRITES_PER_SECOND = 200;
/** The anchor twice: by how much one differs from the other is what this machine can't tell apart. */
const SEATS = ["ours", "go-json", "go-json", "go-default"] as const;

/** All sides watch the same writes at the same time, so that they meet the same pauses of the server. */
export async function benchLatency(field: Field, writes: number): Promise<Line[]> {
  const courses: Course[] = [];
  for (const turn of SEATS.keys()) courses.push(await runCourse(field, writes, turn));
  return [
    ...compare(field, courses, "go-json"),
    ...blockLines(`${WRITES_PER_SECOND} writes/s`, [await measureBlocks(field, writes)]),
    ...compare(field, courses, "go-default"),
  ];
}

/** Round by round, and in each by seat. */
type Course = readonly (readonly Latency[])[];

/**
 * Who begins to watch first hears of each event later, by several percent, and not by the same from one to the next. So
 * the seats begin in turn: each is once the first, once the second and so on.
 */
async function runCourse(field: Field, writes: number, turn: number): Promise<Course> {
  const readers = await startReaders(field, turn);
  // The event loop is measured by itself: the other sides have no such instrument that costs them CPU.
  for (const reader of readers) reader.say("unwatched");
  // An informer runs for weeks: the first round, in which V8 compiles what will be called often, counts for nobody.
  await measure(field, readers, writes);
  const rounds: Latency[][] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(field, readers, writes));
  await Promise.all(readers.map((reader) => reader.end()));
  return rounds;
}

async function startReaders(field: Field, first: number): Promise<readonly MeasuredProcess[]> {
  const readers = await Promise.all(SEATS.map((side) => field.informer(side, "ConfigMap")));
  for (const reader of [...readers.slice(first), ...readers.slice(0, first)]) await reader.ask("start");
  return readers;
}

async function measureBlocks(field: Field, writes: number): Promise<LongestBlock> {
  const readers = await startReaders(field, 0);
  const [ours] = await measure(field, readers, writes);
  await Promise.all(readers.map((reader) => reader.end()));
  if (!ours) throw new Error("ours has a seat");
  return ours;
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

/** Against the slower of the anchors, where there are two. */
function compare(field: Field, courses: readonly Course[], anchor: "go-json" | "go-default"): Line[] {
  const hasGoal = anchor === "go-json";
  const name = hasGoal ? "client-go on JSON, the slower of two" : "client-go's default";
  const figures = [
    { of: "event latency p50", unit: "ms", figure: ({ p50Ms }: Latency) => p50Ms },
    { of: "event latency p99", unit: "ms", figure: ({ p99Ms }: Latency) => p99Ms },
    { of: "CPU", unit: "s", figure: ({ cpuSeconds }: Latency) => cpuSeconds },
  ];
  return figures.map(({ of, unit, figure }) => {
    const what = `${WRITES_PER_SECOND} writes/s on ${field.objects} ConfigMaps, against ${name}: ${of}`;
    const worst = (side: Side): number => Math.max(...figuresOf(courses, side, figure));
    const compared = { what, unit, ours: worst("ours"), anchor: worst(anchor) };
    return hasGoal ? atMost(1, compared) : shown(compared);
  });
}

/** Of each seat that the side has; all courses weigh the same. */
function figuresOf(courses: readonly Course[], side: Side, figure: (latency: Latency) => number): readonly number[] {
  return SEATS.flatMap((taken, seat) => {
    if (taken !== side) return [];
    const latencies = courses.flat().flatMap((round) => round[seat] ?? []);
    return [mean(latencies.map(figure))];
  });
}
