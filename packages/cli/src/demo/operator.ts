// The operator with both wings, in this process.
import { releaseKeys } from "@chaski/api";
import { type Clock, systemRandom } from "@chaski/clock";
import type { EmbeddedCluster } from "@chaski/embedded";
import {
  compose,
  defaultCalendar,
  defaultFlags,
  LatePods,
  lookForLatePods,
  RELEASES_DEFAULTS,
  prometheusJudge,
  VERSION,
  WINGS,
} from "@chaski/operator";
import { createRuntime, pinoLogger, undisputed } from "@chaski/runtime";

export interface DemoOperatorOptions {
  readonly clock: Clock;
  readonly prometheusAddress: string;
  /** What it warns of, a line each. */
  readonly warn: (line: string) => void;
}

/** A demo does not want to wait for proxies that it does not have. */
const DRAIN_MS = 2_000;

export async function startOperator(
  { transport }: EmbeddedCluster,
  options: DemoOperatorOptions,
): Promise<AsyncDisposable> {
  const { clock, prometheusAddress: address, warn } = options;
  const judge = prometheusJudge({ clock, address, everyMs: 1_000, deadlineMs: 5_000, access: () => ({}) });
  const pods = new LatePods(clock);
  const { concurrentRevisions, concurrentReleaseManagers, syncPeriodMs } = RELEASES_DEFAULTS;
  const { controllers, clusters } = compose({
    wings: WINGS,
    concurrentCanaries: 2,
    releases: {
      flags: { ...defaultFlags, drainMs: DRAIN_MS, judges: [judge.name] },
      calendars: [defaultCalendar],
      judges: [judge],
      pods,
      concurrentRevisions,
      concurrentReleaseManagers,
      syncPeriodMs,
    },
  });
  const runtime = createRuntime({
    name: "chaski",
    instance: "demo",
    version: VERSION,
    delivery: { name: "delivery", transport },
    controllers,
    ...(clusters && { clusters }),
    clock,
    random: systemRandom,
    log: pinoLogger({ level: "warn", destination: { write: warn } }),
    leadership: undisputed,
    apply: { ignoreLabel: releaseKeys.labels.ignore },
  });
  const looking = lookForLatePods(runtime, pods);
  await runtime.start();
  return {
    [Symbol.asyncDispose]: async () => {
      looking[Symbol.dispose]();
      await runtime.stop();
      judge.stop();
    },
  };
}
