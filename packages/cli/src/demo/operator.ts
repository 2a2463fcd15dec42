// The operator with both wings, in this process.
import { releaseKeys } from "@chaski/api";
import { type Clock, systemRandom } from "@chaski/clock";
import type { EmbeddedCluster } from "@chaski/embedded";
import {
  clusterSource,
  compose,
  defaultCalendar,
  defaultFlags,
  prometheusJudge,
  releaseControllers,
  VERSION,
} from "@chaski/operator";
import { createRuntime, silentLogger, undisputed } from "@chaski/runtime";

export interface DemoOperatorOptions {
  readonly clock: Clock;
  readonly prometheusAddress: string;
}

/** A demo does not want to wait for proxies that it does not have. */
const DRAIN_MS = 2_000;

export async function startOperator(
  { transport }: EmbeddedCluster,
  options: DemoOperatorOptions,
): Promise<AsyncDisposable> {
  const { clock, prometheusAddress: address } = options;
  const judge = prometheusJudge({ clock, address, everyMs: 1_000, deadlineMs: 5_000, access: () => ({}) });
  const releases = releaseControllers({
    flags: { ...defaultFlags, drainMs: DRAIN_MS },
    calendars: [defaultCalendar],
    judges: [judge],
    concurrentRevisions: 4,
    concurrentReleaseManagers: 4,
    syncPeriodMs: 15_000,
  });
  const runtime = createRuntime({
    name: "chaski",
    instance: "demo",
    version: VERSION,
    delivery: { name: "delivery", transport },
    controllers: [...releases, ...compose({ wings: ["canaries"], concurrentCanaries: 2 }).controllers],
    clusters: clusterSource,
    clock,
    random: systemRandom,
    log: silentLogger,
    leadership: undisputed,
    apply: { ignoreLabel: releaseKeys.labels.ignore },
  });
  await runtime.start();
  return {
    [Symbol.asyncDispose]: async () => {
      await runtime.stop();
      judge.stop();
    },
  };
}
