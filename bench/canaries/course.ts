// One side, all releases at once: what it takes.
import type { Key } from "@chaski/kube";
import { freePort } from "@chaski/test/kube";
import type { MeasuredProcess } from "../runtime/measured-process.ts";
import { mean } from "../runtime/mean.ts";
import { median } from "../runtime/median.ts";
import { forEach } from "../for-each.ts";
import { follow } from "./follow.ts";
import { type Ground, inNamespaces, type Visitor } from "./ground.ts";
import { BATCHES } from "./release.ts";
import type { Run, Side } from "./side.ts";
import { endedEarly, start } from "./start.ts";
import { StepTimes } from "./step-times.ts";
import { type Call, countsOf, type Tally, untilQuiet } from "./tally.ts";

export interface Figures {
  /** From the first release's start to the last one's end, by batch. */
  readonly secondsPerBatch: number;
  /** From one batch to the next of the same release. */
  readonly medianStepSeconds: number;
  readonly callsPerBatch: number;
  /** The same without events, of which a side under load may lose some. */
  readonly workCallsPerBatch: number;
  /** In the second batch of a release, from decision to decision; without events. */
  readonly callsPerStep: number;
  readonly idleCallsPerMinute: number;
  readonly idleProbesPerMinute: number;
  readonly cpuSeconds: number;
  readonly rssMb: number;
  readonly peakRssMb: number;
}

const IDLE_MS = 30_000;

export interface Course {
  readonly ground: Ground;
  readonly side: Side;
  readonly count: number;
  /** Told how far it is. */
  readonly log: (line: string) => void;
}

export async function runCourse({ ground, side, count, log }: Course): Promise<Figures> {
  const apps = Array.from({ length: count }, (_, index) => appOf(side, index));
  const namespaces = [...new Set(apps.map(({ namespace }) => namespace))];
  // It ends after the namespaces, which may need it: a Canary has a finalizer.
  await using programs = new AsyncDisposableStack();
  return await inNamespaces(ground.client, namespaces, async () => {
    const field = { apps, log: (line: string) => log(`${side.name}: ${line}`) };
    await serveBefore(ground, side, field);
    const run = await newRun(ground, side.name);
    const program = programs.use(start(side.command(run)));
    const released = await release(ground, side, { ...field, program, tally: run.tally });
    await untilQuiet(run.tally);
    const idle = await idleCalls(run.tally);
    field.log("idle calls are counted; the namespaces go");
    const perMinute = 60_000 / IDLE_MS;
    return {
      ...released,
      idleCallsPerMinute: idle.filter(({ isProbe, isWatch }) => !isProbe && !isWatch).length * perMinute,
      idleProbesPerMinute: idle.filter(({ isProbe }) => isProbe).length * perMinute,
      rssMb: program.rssMb(),
    };
  });
}

/**
 * A team has so many apps, and a namespace. If all were in one, Kubernetes' Deployment controller and Argo Rollouts, which
 * look at every ReplicaSet of a namespace whenever they look at one, would do little else.
 */
const APPS_PER_TEAM = 20;

type App = Required<Key>;

function appOf({ name: side }: Side, index: number): App {
  return { namespace: `bench-${side}-${Math.floor(index / APPS_PER_TEAM) + 1}`, name: `app-${index + 1}` };
}

interface Field {
  readonly apps: readonly App[];
  readonly log: (line: string) => void;
}

async function serveBefore({ client, ...ground }: Ground, side: Side, field: Field): Promise<void> {
  const { apps, log } = field;
  const { kind } = side;
  const { build, isServing, command } = side.before;
  await using _ = start(command(await newRun({ client, ...ground }, `${side.name}-before`)));
  using serving = await follow({ client, kind, count: apps.length, log, look: isServing });
  await forEach(apps, ({ namespace, name }) => client.of(kind).create(build(namespace, name)));
  await serving.arrived;
}

type Released = Omit<Figures, "idleCallsPerMinute" | "idleProbesPerMinute" | "rssMb">;

async function release(
  { client }: Ground,
  side: Side,
  field: Field & { readonly program: MeasuredProcess; readonly tally: Tally },
): Promise<Released> {
  const { apps, log, program, tally } = field;
  const steps = new StepTimes(side);
  using finished = await follow({ client, kind: side.kind, count: apps.length, log, look: steps.look });
  const quiet = await Promise.race([untilQuiet(tally), endedEarly(program)]);
  const [callsBefore, cpuBefore, startMs] = [quiet, program.cpuSeconds(), performance.now()];
  await forEach(apps, ({ namespace, name }) => {
    steps.begin(name);
    return side.start(client, namespace, name);
  });
  await Promise.race([finished.arrived, endedEarly(program)]);
  const seconds = (performance.now() - startMs) / 1_000;
  log(`all have ended after ${Math.round(seconds)} s`);
  // What it does after the last one has ended belongs to the releases, too.
  await untilQuiet(tally);
  const [cpuSeconds, peakRssMb] = [program.cpuSeconds() - cpuBefore, program.peakRssMb()];
  await new Promise((resolve) => setTimeout(resolve, side.tellsLateMs));
  const calls = (await untilQuiet(tally)).slice(callsBefore.length);
  log(`${calls.length} calls: ${JSON.stringify(countsOf(calls))}`);
  return {
    secondsPerBatch: seconds / BATCHES,
    medianStepSeconds: median(steps.stepsMs) / 1_000,
    callsPerBatch: calls.length / (apps.length * BATCHES),
    workCallsPerBatch: calls.filter(({ isEvent }) => !isEvent).length / (apps.length * BATCHES),
    callsPerStep: mean(apps.flatMap(({ name }) => steps.callsOfSecondBatch(name, calls))),
    cpuSeconds,
    peakRssMb,
  };
}

async function idleCalls(tally: Tally): Promise<readonly Call[]> {
  const before = await tally();
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  return (await tally()).slice(before.length);
}

async function newRun(ground: Ground, name: string): Promise<Run & Visitor> {
  const [healthPort, metricsPort] = await Promise.all([freePort(), freePort()]);
  return { ...(await ground.admit(name, healthPort)), healthPort, metricsPort };
}
