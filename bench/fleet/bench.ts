// The releases wing on a fleet: many apps at once, many clusters, and how soon it acts.
import type { BenchOptions } from "../bench-options.ts";
import { alone, atMost, below, type Line, shown } from "../line.ts";
import { medianOf } from "../runtime/median.ts";
import { percentile } from "../runtime/percentile.ts";
import { stagesOf } from "../stages.ts";
import { embeddedGround } from "./embedded-ground.ts";
import type { FleetCall, FleetGround } from "./ground.ts";
import { measureLatencies } from "./latency.ts";
import { realGround } from "./real-ground.ts";
import { rollOut, type Rollouts, type Round } from "./rollouts.ts";
import { measureWide } from "./wide.ts";

type Log = BenchOptions["log"];
type Stage = (scale: number, log: Log) => Promise<Line[]>;

const TARGETS = 3;
const SIZES = [50, 100, 200] as const;
/** At the largest size; the others have as many as it takes to compare them. */
const [REVISIONS, REVISIONS_COMPARED] = [5, 3];
const RSS_MB_MAX = 400;
const CALLS_PER_OBJECT_MAX = 3;
const LATENCY_MAX = 5;
/** Growth that is still as good as linear on a machine that others use, too. */
const LINEAR_MAX = 1.25;
const SAMPLES = 100;
const WIDE = { clusters: 50, apps: 20 };

const STAGES: Readonly<Record<string, Stage>> = {
  embedded: benchEmbedded,
  wide: benchWide,
  /** Pods have just become ready, and every controller of their cluster hears of it: not on the machine of the others. */
  latency: async (scale, log) => benchLatency(await realGround({ hasShyControllers: true }), scale, log),
  real: benchReal,
  /** Its clusters share a thread: what is sent to all of them at once is done there one after the other. */
  "embedded-latency": async (scale, log) =>
    benchLatency(await embeddedGround(TARGETS, { readyAfterMs: 100 }), scale, log),
};

export async function benchFleet({ scale, only, isReal, log }: BenchOptions): Promise<Line[]> {
  const lines: Line[] = [];
  const byDefault = ["embedded", "wide", "latency", ...(isReal ? ["real"] : [])];
  for (const stage of stagesOf(STAGES, only ?? byDefault)) lines.push(...(await stage(scale, log)));
  return lines;
}

async function benchEmbedded(scale: number, log: Log): Promise<Line[]> {
  const results: { readonly apps: number; readonly rollouts: Rollouts }[] = [];
  for (const size of SIZES) {
    const apps = Math.ceil(size * scale);
    const rounds = size === SIZES.at(-1) ? REVISIONS : REVISIONS_COMPARED;
    await using ground = await embeddedGround(TARGETS);
    results.push({ apps, rollouts: await rollOut(ground, { apps, rounds, log }) });
  }
  const [least, most] = [results[0], results.at(-1)];
  if (!least || !most) throw new Error("there is at least one size");
  return [
    ...results.flatMap(({ apps, rollouts }) => rolloutLines("embedded", apps, rollouts)),
    ...growthLines(least, most),
    below(RSS_MB_MAX, {
      what: `${most.apps} apps × ${TARGETS} clusters × ${REVISIONS} revisions, embedded: peak RSS`,
      unit: "MB",
      ours: most.rollouts.peakRssMb,
    }),
  ];
}

async function benchReal(scale: number, log: Log): Promise<Line[]> {
  const apps = Math.ceil(SIZES[0] * scale);
  await using ground = await realGround();
  return rolloutLines("real", apps, await rollOut(ground, { apps, rounds: REVISIONS_COMPARED, log }));
}

function rolloutLines(where: string, apps: number, { rounds, rssMb, peakRssMb }: Rollouts): Line[] {
  const [first, ...later] = rounds;
  if (!first) throw new Error("there is at least one round");
  const what = `${apps} apps × ${TARGETS} clusters at once, ${where}`;
  const compared = later.slice(0, REVISIONS_COMPARED - 1);
  return [
    alone({
      what: `${what}: releases`,
      unit: "/min",
      ours: (apps * 60) / medianOf(compared, ({ seconds }) => seconds),
    }),
    alone({ what: `${what}: first releases`, unit: "/min", ours: (apps * 60) / first.seconds }),
    alone({ what: `${what}: CPU of all`, unit: "s", ours: medianOf(compared, ({ cpuSeconds }) => cpuSeconds) }),
    alone({ what: `${what}: RSS`, unit: "MB", ours: rssMb }),
    alone({ what: `${what}: peak RSS`, unit: "MB", ours: peakRssMb }),
    callsLine(`${what}: API calls of a first release, against the objects that it changes`, apps, first),
    ...compared
      .slice(-1)
      .map((round) =>
        callsLine(`${what}: API calls of a release with five steps, against the objects that it changes`, apps, round),
      ),
  ];
}

/** Both as the servers saw it; an event is an object as any other. */
function callsLine(what: string, apps: number, { calls }: Round): Line {
  const anchor = changedObjects(calls) / apps;
  return atMost(CALLS_PER_OBJECT_MAX, { what, unit: "", ours: calls.length / apps, anchor });
}

function changedObjects(calls: readonly FleetCall[]): number {
  return new Set(calls.filter(({ hasWritten }) => hasWritten).map(({ cluster, object }) => `${cluster} ${object}`))
    .size;
}

interface Sized {
  readonly apps: number;
  readonly rollouts: Rollouts;
}

/** The same rounds of both. */
function growthLines(least: Sized, most: Sized): Line[] {
  const figures = [
    { of: "CPU per release", unit: "s", figure: ({ cpuSeconds }: Round) => cpuSeconds },
    { of: "time per release", unit: "s", figure: ({ seconds }: Round) => seconds },
  ];
  return figures.map(({ of, unit, figure }) => {
    const per = ({ apps, rollouts }: Sized): number =>
      medianOf(rollouts.rounds.slice(1, REVISIONS_COMPARED), figure) / apps;
    const what = `${most.apps} apps against ${least.apps}, embedded: ${of}`;
    return atMost(LINEAR_MAX, { what, unit, ours: per(most), anchor: per(least) });
  });
}

async function benchLatency(opened: FleetGround, scale: number, log: Log): Promise<Line[]> {
  await using ground = opened;
  const samples = Math.ceil(SAMPLES * scale);
  const { patchMs, readyToRoutedMs, failedToUnroutedMs } = await measureLatencies(ground, samples, log);
  const events = [
    { of: "last ReplicaSet ready → VirtualServices written", values: readyToRoutedMs },
    { of: "Revision marked failed → weight 0 on every cluster", values: failedToUnroutedMs },
  ];
  return events.flatMap(({ of, values }) => [
    atMost(LATENCY_MAX, {
      what: `one app, ${ground.name}, against a bare PATCH: ${of}, p99 of ${samples}`,
      unit: "ms",
      ours: percentile(values, 99),
      anchor: percentile(patchMs, 99),
    }),
    shown({
      what: `one app, ${ground.name}, against a bare PATCH: ${of}, p50`,
      unit: "ms",
      ours: percentile(values, 50),
      anchor: percentile(patchMs, 50),
    }),
  ]);
}

async function benchWide(scale: number, log: Log): Promise<Line[]> {
  const clusters = Math.ceil(WIDE.clusters * scale);
  const wide = await measureWide({ ...WIDE, clusters, log });
  const what = `${clusters} clusters × ${WIDE.apps} apps, embedded`;
  return [
    alone({ what: `${what}: sockets`, unit: "", ours: wide.sockets }),
    alone({ what: `${what}: from start to all watches open`, unit: "s", ours: wide.syncedSeconds }),
    alone({ what: `${what}: RSS`, unit: "MB", ours: wide.rssMb }),
    alone({ what: `${what}: peak RSS`, unit: "MB", ours: wide.peakRssMb }),
    alone({
      what: `${what}: CPU while autoscalers report ${Math.round(wide.reportsPerSecond)} times a second`,
      unit: "%",
      ours: wide.cpuPercent,
    }),
  ];
}
