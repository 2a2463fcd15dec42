// From just before a write is sent until the handler of an informer runs.
import { until } from "@chaski/test/kube";
import { atMost, type Compared, type Line, shown } from "../line.ts";
import { blockLines } from "./block-lines.ts";
import type { Field, Side } from "./field.ts";
import type { LongestBlock } from "./loop-watch.ts";
import { mean } from "./mean.ts";
import type { MeasuredProcess } from "./measured-process.ts";

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

/** Pairs of turns, enough of them that a pause of the server more or less decides nothing. */
const [PAIRS, PAIRS_SHOWN] = [8, 2];

type Anchor = Exclude<Side, "ours">;

/**
 * Each alone with server and writer, in turns. Beside one another on a small machine, readers would measure who waits for
 * whose core; and who begins to watch first hears of each event later.
 */
export async function benchLatency(field: Field, writes: number): Promise<Line[]> {
  const onJson = await compare(field, writes, { anchor: "go-json", name: "client-go on JSON", pairs: PAIRS });
  const { blockMs, blockCpuMs } = await measure(field, "ours", { writes, isLoopWatched: true });
  const byDefault = await compare(field, writes, {
    anchor: "go-default",
    name: "client-go's default",
    pairs: PAIRS_SHOWN,
  });
  return [
    ...onJson.map((compared) => atMost(1, compared)),
    ...blockLines(`${WRITES_PER_SECOND} writes/s`, [{ blockMs, blockCpuMs }]),
    ...byDefault.map(shown),
  ];
}

interface Comparison {
  readonly anchor: Anchor;
  readonly name: string;
  readonly pairs: number;
}

/** Each is as often the first of a pair as the other, for a machine whose speed changes meanwhile. */
async function compare(field: Field, writes: number, { anchor, name, pairs }: Comparison): Promise<Compared[]> {
  const [ours, theirs]: [Latency[], Latency[]] = [[], []];
  for (let pair = 0; pair < pairs; pair++) {
    const sides = pair % 2 === 0 ? (["ours", anchor] as const) : ([anchor, "ours"] as const);
    for (const side of sides) (side === "ours" ? ours : theirs).push(await measure(field, side, { writes }));
  }
  return FIGURES.map(({ of, unit, figure }) => ({
    what: `${WRITES_PER_SECOND} writes/s on ${field.objects} ConfigMaps, against ${name}: ${of}`,
    unit,
    ours: mean(ours.map(figure)),
    anchor: mean(theirs.map(figure)),
  }));
}

const FIGURES = [
  { of: "event latency p50", unit: "ms", figure: ({ p50Ms }: Latency) => p50Ms },
  { of: "event latency p99", unit: "ms", figure: ({ p99Ms }: Latency) => p99Ms },
  { of: "CPU", unit: "s", figure: ({ cpuSeconds }: Latency) => cpuSeconds },
] as const;

interface Load {
  readonly writes: number;
  /** The other sides have no such instrument that costs them CPU. */
  readonly isLoopWatched?: boolean;
}

async function measure(field: Field, side: Side, { writes, isLoopWatched = false }: Load): Promise<Latency> {
  await using reader = await field.informer(side, "ConfigMap");
  await reader.ask("start");
  if (!isLoopWatched) reader.say("unwatched");
  // An informer runs for weeks: how late the first events are, while V8 compiles what will be called often, counts for
  // nobody; a block counts from the beginning.
  reader.say("reset");
  await field.write(writes, WRITES_PER_SECOND);
  const early = await seen(reader, writes);
  reader.say("reset");
  const cpuBefore = reader.cpuSeconds();
  await field.write(writes, WRITES_PER_SECOND);
  const { p50Ms, p99Ms, blockMs = 0, blockCpuMs = 0 } = await seen(reader, writes);
  return {
    p50Ms,
    p99Ms,
    blockMs: Math.max(blockMs, early.blockMs ?? 0),
    blockCpuMs: Math.max(blockCpuMs, early.blockCpuMs ?? 0),
    cpuSeconds: reader.cpuSeconds() - cpuBefore,
  };
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
