import { type Clock, RealClock } from "@chaski/clock";
import { defined } from "@chaski/kube";
import { releaseKeys } from "@chaski/api";
import { lookForLatePods, onMirrorFailure, replacedManagers, wakeJudged } from "@chaski/releases";
import {
  FileRecording,
  type HealthServer,
  type Logger,
  pinoLogger,
  runOperator,
  type Runtime,
  startHealthServer,
} from "@chaski/runtime";
import { compose, type Wing } from "./compose.ts";
import { configuredByDefault, FollowedConfig } from "./config/followed-config.ts";
import { FrugalHeap } from "./heap.ts";
import { mirrorFailures, releaseMetrics } from "./metrics/release-metrics.ts";
import { type ObserveFormat, tellChanges } from "./observed-changes.ts";
import { QuietCollection } from "./quiet-collection.ts";
import { FollowedSettings, type ReleasesGiven } from "./release-settings.ts";
import { VERSION } from "./version.ts";
import { webhooksOf } from "./webhooks.ts";

export interface OperatorSettings {
  readonly wings: readonly Wing[];
  readonly concurrentCanaries: number;
  readonly releases: ReleasesGiven;
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Where the lease and the webhooks' certificate live. */
  readonly namespace: string;
  readonly isLeaderElected: boolean;
  readonly healthPort: number;
  /** `/metrics` on an address of its own, as Picchu has it. */
  readonly metricsAddress?: MetricsAddress;
  /** Undefined: no webhooks. */
  readonly webhookPort?: number;
  readonly certificateFolder?: string;
  readonly recordFolder?: string;
  readonly configFile?: string;
  /** Write nothing; print what would be written. */
  readonly observe?: ObserveFormat;
  /** Worth saying at the start. */
  readonly warnings: readonly string[];
}

export interface MetricsAddress {
  readonly host?: string;
  readonly port: number;
  /** Nobody asked for it: do without where the port is taken. */
  readonly isDefault: boolean;
}

export const LEASE = "chaski";
/** The replaced operator's: both never act at once. */
export const PICCHU_LEASE = "de705aec.picchu.medium.engineering";

/** Runs until a signal ends it; the exit code. */
export async function runChaski(settings: OperatorSettings): Promise<number> {
  const clock = new RealClock();
  using _heap = new FrugalHeap(clock);
  using _collection = new QuietCollection(clock);
  const log = pinoLogger(settings.observe ? { destination: process.stderr } : {});
  for (const warning of settings.warnings) log.warn(warning);
  using config = await openConfig(settings, clock, log);
  const byDefault = settings.wings.includes("releases") ? await configuredByDefault(clock) : { calendars: [] };
  const releases = new FollowedSettings(settings.releases, () => config?.current ?? byDefault, clock);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => releases.stop());
  const recording = recordingOf(settings, log);
  stack.defer(() => recording?.flush());
  const composed = compose({ ...settings, releases });
  return await runOperator({
    ...connectionOf(settings),
    name: "chaski",
    version: VERSION,
    log,
    controllers: composed.controllers,
    health: { port: settings.healthPort },
    apply: applyOf(settings),
    prepare: async (runtime) => {
      config?.reportTo(runtime.metrics);
      if (!settings.wings.includes("releases")) return;
      stack.use(wakeJudged(runtime, releases.judges));
      stack.use(lookForLatePods(runtime, releases.pods));
      stack.use(releaseMetrics(runtime, clock));
      stack.use(onMirrorFailure(runtime, mirrorFailures(runtime.metrics)));
      const server = await serveMetrics(settings, runtime, clock, log);
      if (server) stack.defer(() => server.close());
    },
    ...defined({
      clusters: composed.clusters,
      webhooks: webhooksOf({
        handlers: composed.admission,
        namespace: settings.namespace,
        port: settings.webhookPort,
        certificateFolder: settings.certificateFolder,
        clock,
        log,
      }),
      recordings: recording && [recording],
    }),
  });
}

function recordingOf({ recordFolder: directory }: OperatorSettings, log: Logger): FileRecording | undefined {
  if (directory === undefined) return undefined;
  const onError = (error: unknown): void => log.warn("passes are not recorded", { directory, error });
  return new FileRecording({ directory, onError });
}

function connectionOf({ kubeconfig: path, context, isLeaderElected, namespace, wings, observe }: OperatorSettings) {
  const name = wings.includes("releases") ? PICCHU_LEASE : LEASE;
  const lease = isLeaderElected && observe === undefined ? { namespace, name } : undefined;
  return { kubeconfig: { isPodFirst: true, ...defined({ path, context }) }, ...defined({ lease }) };
}

function applyOf({ wings, observe }: OperatorSettings) {
  const print = (text: string): void => void process.stdout.write(`${text}\n`);
  return {
    ...(wings.includes("releases") && {
      ignoreLabel: releaseKeys.labels.ignore,
      replacedManagers,
    }),
    ...(observe && { observe: tellChanges(observe, print) }),
  };
}

async function openConfig({ configFile: path }: OperatorSettings, clock: Clock, log: Logger) {
  return path === undefined ? undefined : FollowedConfig.open({ path, clock, log });
}

async function serveMetrics(
  { metricsAddress, healthPort }: OperatorSettings,
  { metrics }: Runtime,
  clock: Clock,
  log: Logger,
): Promise<HealthServer | undefined> {
  if (!metricsAddress || metricsAddress.port === healthPort) return undefined;
  const { isDefault, ...address } = metricsAddress;
  try {
    return await startHealthServer({ ...address, clock, metrics });
  } catch (error) {
    if (!isDefault) throw error;
    log.warn("the default port of --metrics-addr is taken: metrics are on the health port only", { error });
    return undefined;
  }
}
