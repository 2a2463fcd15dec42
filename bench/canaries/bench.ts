// Releases in batches, all at once: the canaries wing against Argo Rollouts' controller on one API server, and alone on
// the embedded one.
import type { BenchOptions } from "../bench-options.ts";
import { alone, atMost, type Line, shown } from "../line.ts";
import { type Figures, runCourse } from "./course.ts";
import { embeddedGround, realGround } from "./ground.ts";
import { argoRollouts, chaski } from "./side.ts";

const COUNT = 500;

/** In a batch both Deployments are scaled; the status tells what was decided and what came of it. */
const CALLS_PER_STEP_MAX = 2 + 2;

type Log = BenchOptions["log"];

const GROUNDS: Readonly<Record<string, (count: number, log: Log) => Promise<Line[]>>> = {
  embedded: benchEmbedded,
  real: benchReal,
};

export async function benchCanaries({ count = COUNT, only, log }: BenchOptions): Promise<Line[]> {
  const lines: Line[] = [];
  for (const name of only ?? Object.keys(GROUNDS)) {
    const bench = GROUNDS[name];
    if (!bench) throw new Error(`no such stage: ${name}; there are ${Object.keys(GROUNDS).join(", ")}`);
    lines.push(...(await bench(count, log)));
  }
  return lines;
}

async function benchEmbedded(count: number, log: Log): Promise<Line[]> {
  await using ground = await embeddedGround();
  log(`${count} Canaries on the embedded API server`);
  const ours = await runCourse({ ground, side: chaski, count, log });
  return FIGURES.map(({ of, unit, figure }) =>
    alone({ what: `${count} releases, embedded: ${of}`, unit, ours: figure(ours) }),
  );
}

async function benchReal(count: number, log: Log): Promise<Line[]> {
  const [defaults, raised] = [await argoRollouts("default", log), await argoRollouts("raised", log)];
  await using ground = await realGround();
  log(`${count} Canaries on a real API server`);
  const ours = await runCourse({ ground, side: chaski, count, log });
  log(JSON.stringify(ours));
  const what = `${count} releases: API calls of a batch but events, against objects changed plus two status writes`;
  const calls = { what, unit: "", ours: ours.callsPerStep, anchor: CALLS_PER_STEP_MAX };
  const lines = [atMost(1, calls)];
  for (const [side, words] of [
    [raised, "its client's limits raised"],
    [defaults, "as it comes"],
  ] as const) {
    log(`${count} Rollouts of Argo Rollouts, ${words}`);
    const against = `${count} releases, against Argo Rollouts, ${words}`;
    const anchor = await runCourse({ ground, side, count, log });
    log(JSON.stringify(anchor));
    lines.push(...compare(against, ours, anchor), probes(against, ours, anchor));
  }
  return lines;
}

const FIGURES = [
  { of: "time per batch, first start to last end", unit: "s", figure: (of: Figures) => of.secondsPerBatch },
  { of: "median time from batch to batch", unit: "s", figure: (of: Figures) => of.medianStepSeconds },
  { of: "API calls per batch", unit: "", figure: (of: Figures) => of.callsPerBatch },
  { of: "idle API calls, without probes of /livez", unit: "/min", figure: (of: Figures) => of.idleCallsPerMinute },
  { of: "CPU", unit: "s", figure: (of: Figures) => of.cpuSeconds },
  { of: "RSS", unit: "MB", figure: (of: Figures) => of.rssMb },
  { of: "peak RSS", unit: "MB", figure: (of: Figures) => of.peakRssMb },
] as const;

function compare(what: string, ours: Figures, anchor: Figures): Line[] {
  return FIGURES.map(({ of, unit, figure }) =>
    atMost(1, { what: `${what}: ${of}`, unit, ours: figure(ours), anchor: figure(anchor) }),
  );
}

function probes(what: string, ours: Figures, anchor: Figures): Line {
  const figures = { ours: ours.idleProbesPerMinute, anchor: anchor.idleProbesPerMinute };
  return shown({ what: `${what}: idle probes of /livez`, unit: "/min", ...figures });
}
