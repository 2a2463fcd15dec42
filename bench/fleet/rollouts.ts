// Many apps released at the same time, revision after revision.
import { ReleaseManager, Revision } from "@chaski/api";
import { countsOf, untilQuiet } from "../canaries/tally.ts";
import { follow } from "../canaries/follow.ts";
import { endedEarly } from "../canaries/start.ts";
import { forEach } from "../for-each.ts";
import type { MeasuredProcess } from "../runtime/measured-process.ts";
import { type FleetCall, type FleetGround, isUpkeep } from "./ground.ts";
import { isReleased, NAMESPACE, revisionOf, tagOf } from "./objects.ts";
import { startOperator } from "./operator.ts";

const RAMP = { start: 10, factor: 2, delay: "1s" };

export interface Round {
  /** From the first Revision's creation until the last one is released. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly calls: readonly FleetCall[];
}

export interface Rollouts {
  readonly rounds: readonly Round[];
  readonly rssMb: number;
  readonly peakRssMb: number;
}

export interface RolloutOptions {
  readonly apps: number;
  /** How many revisions, one after the other. */
  readonly rounds: number;
  readonly log: (line: string) => void;
}

export async function rollOut(ground: FleetGround, { apps, rounds, log }: RolloutOptions): Promise<Rollouts> {
  await using operator = await startOperator(ground);
  const early = endedEarly(operator);
  const names = Array.from({ length: apps }, (_, index) => `app-${index + 1}`);
  const done: Round[] = [];
  for (let round = 1; round <= rounds; round++) {
    done.push(await release(ground, operator, { names, round, early, log }));
    const { seconds, cpuSeconds, calls } = done.at(-1) ?? { seconds: 0, cpuSeconds: 0, calls: [] };
    log(
      `${apps} apps, round ${round}: ${seconds.toFixed(1)} s, CPU ${cpuSeconds.toFixed(1)} s, ` +
        `${calls.length} calls, RSS ${operator.rssMb().toFixed(0)} MB, peak ${operator.peakRssMb().toFixed(0)} MB`,
    );
    log(JSON.stringify(countsOf(calls)));
  }
  return { rounds: done, rssMb: operator.rssMb(), peakRssMb: operator.peakRssMb() };
}

interface Field {
  readonly names: readonly string[];
  readonly round: number;
  /** Rejects when the operator ends. */
  readonly early: Promise<never>;
  readonly log: (line: string) => void;
}

/** What is done after the last one is released (the one before retires) belongs to the release, too. */
async function release(ground: FleetGround, operator: MeasuredProcess, field: Field): Promise<Round> {
  const { delivery: client, targets } = ground;
  const { names, round, early, log } = field;
  const work = async (): Promise<readonly FleetCall[]> => (await ground.calls()).filter((call) => !isUpkeep(call));
  const before = round === 1 ? 0 : (await untilQuiet(work)).length;
  const all = { client, namespace: NAMESPACE, count: names.length, log };
  using released = await follow({
    ...all,
    kind: Revision,
    look: (object) => isOf(round, object) && isReleased(object as Revision),
  });
  using retired = await follow({
    ...all,
    kind: ReleaseManager,
    look: (object) => hasRetired(object as ReleaseManager, round),
  });
  const [cpuBefore, startMs] = [operator.cpuSeconds(), performance.now()];
  await forEach(names, (app) =>
    client.of(Revision).create(revisionOf({ app, round, clusters: targets.length, ramp: RAMP })),
  );
  await Promise.race([released.arrived, early]);
  const seconds = (performance.now() - startMs) / 1_000;
  await Promise.race([retired.arrived, early]);
  const calls = (await untilQuiet(work)).slice(before);
  return { seconds, cpuSeconds: operator.cpuSeconds() - cpuBefore, calls };
}

function isOf(round: number, object: Readonly<Revision | object>): boolean {
  return (object as Revision).spec.app.tag === tagOf(round);
}

/** All but the newest, which has it all. */
function hasRetired({ status }: Readonly<ReleaseManager>, round: number): boolean {
  const entries = status?.revisions ?? [];
  const newest = entries.find(({ tag }) => tag === tagOf(round));
  const others = entries.filter(({ tag }) => tag !== tagOf(round));
  return newest?.state.current === "released" && others.every(({ state }) => state.current === "retired");
}
