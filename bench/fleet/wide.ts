// Many clusters, few apps: what it takes to be connected to all of them, and to hear their autoscalers.
import { Revision } from "@chaski/api";
import { until } from "@chaski/test/kube";
import { follow } from "../canaries/follow.ts";
import { endedEarly } from "../canaries/start.ts";
import { untilQuiet } from "../canaries/tally.ts";
import { forEach } from "../for-each.ts";
import { embeddedGround } from "./embedded-ground.ts";
import { type FleetGround, isUpkeep } from "./ground.ts";
import { isReleased, NAMESPACE, revisionOf } from "./objects.ts";
import { startOperator } from "./operator.ts";

const RAMP = { start: 100, factor: 2, delay: "0s" };
/** Autoscalers look every 15 s, those of a fleet nearly at once: four times, so that one burst more or less says little. */
const CHURN_MS = 60_000;
/** No watch was opened for so long: all of them are there. */
const SETTLED_MS = 3_000;

export interface Wide {
  readonly sockets: number;
  /** From the start of the process to the last watch. */
  readonly syncedSeconds: number;
  readonly rssMb: number;
  readonly peakRssMb: number;
  /** While every autoscaler reports. */
  readonly cpuPercent: number;
  /** How often they did. */
  readonly reportsPerSecond: number;
}

export interface WideOptions {
  readonly clusters: number;
  readonly apps: number;
  readonly log: (line: string) => void;
}

export async function measureWide({ clusters, apps, log }: WideOptions): Promise<Wide> {
  let reports = 0;
  // What they measure is never twice the same, and nothing to scale for.
  const load = (): number => 66 + (reports++ % 8);
  await using ground = await embeddedGround(clusters, { load });
  const names = Array.from({ length: apps }, (_, index) => `app-${index + 1}`);
  await releaseAll(ground, names, log);
  log(`${apps} apps are on ${clusters} clusters; a new operator starts`);
  const startMs = Date.now();
  await using operator = await startOperator(ground);
  const syncedMs = await untilWatching(ground, startMs);
  await untilQuiet(async () => (await ground.calls()).filter((call) => !isUpkeep(call)));
  const [cpuBefore, reportsBefore] = [operator.cpuSeconds(), reports];
  await new Promise((resolve) => setTimeout(resolve, CHURN_MS));
  return {
    sockets: operator.sockets(),
    syncedSeconds: (syncedMs - startMs) / 1_000,
    rssMb: operator.rssMb(),
    peakRssMb: operator.peakRssMb(),
    cpuPercent: ((operator.cpuSeconds() - cpuBefore) / (CHURN_MS / 1_000)) * 100,
    reportsPerSecond: (reports - reportsBefore) / (CHURN_MS / 1_000),
  };
}

async function releaseAll(ground: FleetGround, names: readonly string[], log: (line: string) => void): Promise<void> {
  await using operator = await startOperator(ground);
  const { delivery: client, targets } = ground;
  const look = (object: object): boolean => isReleased(object as Revision);
  using released = await follow({ client, kind: Revision, namespace: NAMESPACE, count: names.length, log, look });
  const traffic = { round: 1, clusters: targets.length, ramp: RAMP, hasAutoscaler: true };
  await forEach(names, (app) => client.of(Revision).create(revisionOf({ app, ...traffic })));
  await Promise.race([released.arrived, endedEarly(operator)]);
}

/** When the last watch was opened that a fleet of this size needs. */
async function untilWatching(ground: FleetGround, sinceMs: number): Promise<number> {
  return await until(
    async () => {
      const calls = (await ground.calls()).filter(({ words, atMs }) => /^watch .* 200$/.test(words) && atMs >= sinceMs);
      const lastMs = Math.max(0, ...calls.map(({ atMs }) => atMs));
      const isEverywhere = new Set(calls.map(({ cluster }) => cluster)).size === ground.targets.length + 1;
      return isEverywhere && Date.now() - lastMs > SETTLED_MS ? lastMs : undefined;
    },
    { what: "all watches are open", withinMs: 300_000, everyMs: 500 },
  );
}
