// Releases in batches, all at once: the canaries wing against Argo Rollouts' controller on one API server, and alone on
// the embedded one.
import type { BenchOptions } from "../bench-options.ts";
import { alone, atMost, type Line, shown } from "../line.ts";
import { mean } from "../runtime/mean.ts";
import { stagesOf } from "../stages.ts";
import { type Figures, runCourse } from "./course.ts";
import { embeddedGround, realGround } from "./ground.ts";
import { argoRollouts, chaski, type Side } from "./side.ts";

const COUNT = 500;

/** In a batch both Deployments are scaled; the status tells what was decided and what came of it. */
const CALLS_PER_STEP_MAX = 2 + 2;

type Log = BenchOptions["log"];

const STAGES: Readonly<Record<string, (count: number, log: Log) => Promise<Line[]>>> = {
  embedded: benchEmbedded,
  real: (count, log) => benchReal(count, log, "raised"),
  /** Its own limit of 40 requests a second decides then; takes long, so only if asked for. */
  "real-defaults": (count, log) => benchReal(count, log, "default"),
};

export async function benchCanaries({ count = COUNT, only, log }: BenchOptions): Promise<Line[]> {
  const lines: Line[] = [];
  for (const bench of stagesOf(STAGES, only ?? ["embedded", "real"])) lines.push(...(await bench(count, log)));
  return lines;
}

async function benchEmbedded(count: number, log: Log): Promise<Line[]> {
  await using ground = await embeddedGround();
  log(`${count} Canaries on the embedded API server`);
  const ours = await runCourse({ ground, side: await chaski(), count, log });
  return FIGURES.map(({ of, unit, figure }) =>
    alone({ what: `${count} releases, embedded: ${of}`, unit, ours: figure(ours) }),
  );
}

const LIMITS = { raised: "10 workers each, 1000 requests/s", default: "10 workers each, its client as it comes" };

async function benchReal(count: number, log: Log, limits: keyof typeof LIMITS): Promise<Line[]> {
  const [us, them] = [await chaski(), await argoRollouts(limits, log)];
  await using ground = await realGround();
  log(`${count} releases on a real API server; Argo Rollouts: ${LIMITS[limits]}`);
  const take = async (side: Side): Promise<Figures> => {
    const figures = await runCourse({ ground, side, count, log });
    log(`${side.name}: ${JSON.stringify(figures)}`);
    return figures;
  };
  // A machine may be a third slower than it was a quarter of an hour ago: each side has an early and a late turn.
  const early = [await take(us), await take(them)] as const;
  const late = [await take(again(them)), await take(again(us))] as const;
  const [ours, anchor] = [meanOf(early[0], late[1]), meanOf(early[1], late[0])];
  const step = `${count} releases: API calls of a batch but events, against objects changed plus two status writes`;
  const against = `${count} releases, against Argo Rollouts, ${LIMITS[limits]}`;
  return [
    atMost(1, { what: step, unit: "", ours: ours.callsPerStep, anchor: CALLS_PER_STEP_MAX }),
    ...compare(against, ours, anchor),
    probes(against, ours, anchor),
  ];
}

/** Under a name of its own, by which its calls are counted. */
function again(side: Side): Side {
  return { ...side, name: `${side.name}-again` };
}

function meanOf(early: Figures, late: Figures): Figures {
  const names = Object.keys(early) as (keyof Figures)[];
  const means = names.map((name) => [name, mean([early[name], late[name]])]);
  return Object.fromEntries(means) as Record<keyof Figures, number>;
}

const FIGURES = [
  { of: "time per batch, first start to last end", unit: "s", figure: (of: Figures) => of.secondsPerBatch },
  { of: "median time from batch to batch", unit: "s", figure: (of: Figures) => of.medianStepSeconds },
  { of: "API calls per batch", unit: "", figure: (of: Figures) => of.callsPerBatch },
  {
    of: "idle API calls, without watches and probes of /livez",
    unit: "/min",
    figure: (of: Figures) => of.idleCallsPerMinute,
  },
  { of: "CPU", unit: "s", figure: (of: Figures) => of.cpuSeconds },
  { of: "RSS", unit: "MB", figure: (of: Figures) => of.rssMb },
  { of: "peak RSS", unit: "MB", figure: (of: Figures) => of.peakRssMb },
] as const;

/** The embedded server's count does not tell events from the rest. */
const WORK = { of: "API calls per batch but events", unit: "", figure: (of: Figures) => of.workCallsPerBatch } as const;

function compare(what: string, ours: Figures, anchor: Figures): Line[] {
  return [...FIGURES, WORK].map(({ of, unit, figure }) =>
    atMost(1, { what: `${what}: ${of}`, unit, ours: figure(ours), anchor: figure(anchor) }),
  );
}

function probes(what: string, ours: Figures, anchor: Figures): Line {
  const figures = { ours: ours.idleProbesPerMinute, anchor: anchor.idleProbesPerMinute };
  return shown({ what: `${what}: idle probes of /livez`, unit: "/min", ...figures });
}
