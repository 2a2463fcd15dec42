// From just before a write is sent until the handler of an informer runs.
import { until } from "@chaski/test/kube";
import { atMost, type Line, shown } from "../line.ts";
import { blockLines } from "./block-lines.ts";
import type { Field, Side } from "./field.ts";
import type { LongestBlock } from "./loop-watch.ts";
import type { MeasuredProcess } from "./measured-process.ts";
import { mean } from "./mean.ts";
import { median } from "./median.ts";

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
/** The anchor twice: by how much one differs from the other is what this machine can't tell apart. */
const SEATS = ["ours", "go-json", "go-json", "go-default"] as const;

/** All sides watch the same writes at the same time, so that they meet the same pauses of the server. */
export async function benchLatency(field: Field, writes: number): Promise<Line[]> {
  // Who begins to watch first hears of each event later, by several percent; so everybody is once first and once last.
  const courses = [
    await runCourse(field, writes, (readers) => readers),
    await runCourse(field, writes, (readers) => readers.toReversed()),
  ];
  const [watched] = courses.map((course) => course.watched).toSorted((a, b) => b.blockMs - a.blockMs);
  return [
    ...compare(field, courses, "go-json"),
    ...blockLines(`${WRITES_PER_SECOND} writes/s`, watched ? [watched] : []),
    ...compare(field, courses, "go-default"),
  ];
}

interface Course {
  readonly rounds: readonly (readonly Latency[])[];
  /** Ours, with the event loop measured. */
  readonly watched: Latency;
}

type Order = (readers: readonly MeasuredProcess[]) => readonly MeasuredProcess[];

async function runCourse(field: Field, writes: number, inOrder: Order): Promise<Course> {
  const readers = await Promise.all(SEATS.map((side) => field.informer(side, "ConfigMap")));
  for (const reader of inOrder(readers)) await reader.ask("start");
  // The event loop is measured in a round of its own: the other sides have no such instrument that costs them CPU.
  for (const reader of readers) reader.say("unwatched");
  // An informer runs for weeks: the first round, in which V8 compiles what will be called often, counts for nobody.
  await measure(field, readers, writes);
  const rounds: Latency[][] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(field, readers, writes));
  for (const reader of readers) reader.say("watched");
  const [watched] = await measure(field, readers, writes);
  await Promise.all(readers.map((reader) => reader.end()));
  if (!watched) throw new Error("ours has a seat");
  return { rounds, watched };
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

/** Of each seat that the side has; both courses weigh the same. */
function figuresOf(courses: readonly Course[], side: Side, figure: (latency: Latency) => number): readonly number[] {
  return SEATS.flatMap((taken, seat) => {
    if (taken !== side) return [];
    const medians = courses.map(({ rounds }) => median(rounds.flatMap((round) => round[seat] ?? []).map(figure)));
    return [mean(medians)];
  });
}
