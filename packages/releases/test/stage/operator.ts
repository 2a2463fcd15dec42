import { releaseKeys } from "@chaski/api";
import type { Clock, Random } from "@chaski/clock";
import type { Transport } from "@chaski/kube";
import {
  type ClusterSource,
  createRuntime,
  type Credentials,
  type Leadership,
  type Logger,
  type Metrics,
  type ObservedChange,
  type Recording,
  type Runtime,
  silentLogger,
  silentMetrics,
  undisputed,
} from "@chaski/runtime";
import {
  clusterSource,
  defaultCalendar,
  defaultFlags,
  type Judge,
  LatePods,
  lookForLatePods,
  onMirrorFailure,
  releaseControllers,
  type ReleaseFlags,
  replacedManagers,
  wakeJudged,
} from "../../src/index.ts";

export const DRAIN_MS = 3_000;

export interface OperatorOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly source?: ClusterSource;
  readonly flags?: Partial<ReleaseFlags>;
  readonly log?: Logger;
  readonly recordings?: readonly Recording[];
  readonly metrics?: Metrics;
  readonly judges?: readonly Judge[];
  /** Given: the operator writes nothing. */
  readonly observe?: (change: ObservedChange) => void;
  readonly leadership?: Leadership;
  readonly onMirrorFailure?: (app: string, mirror: string) => void;
  readonly syncPeriodMs?: number;
  /** The delivery cluster's, in what it writes elsewhere. */
  readonly deliveryName?: string;
}

const ALONE_AND_QUIET = {
  source: clusterSource,
  log: silentLogger,
  recordings: [],
  metrics: silentMetrics,
  judges: [],
  leadership: undisputed,
  onMirrorFailure: () => {},
  syncPeriodMs: 15_000,
  deliveryName: "test",
} satisfies Partial<OperatorOptions>;

/** The wing's controllers on a fleet. */
export function newOperator(
  delivery: { transport: Transport; credentials?: Credentials },
  options: OperatorOptions,
): Runtime {
  const given: Required<Omit<OperatorOptions, "flags" | "observe">> = { ...ALONE_AND_QUIET, ...options };
  const { flags, observe } = options;
  const { clock, random, source, judges, syncPeriodMs, deliveryName } = given;
  const { log, recordings, metrics, leadership } = given;
  const pods = new LatePods(clock);
  const runtime = createRuntime({
    name: "chaski",
    instance: "test",
    version: "0.0.0",
    delivery: { name: deliveryName, ...delivery },
    controllers: releaseControllers({
      flags: { ...defaultFlags, drainMs: DRAIN_MS, ...flags },
      calendars: [defaultCalendar],
      judges,
      pods,
      concurrentRevisions: 4,
      concurrentReleaseManagers: 8,
      syncPeriodMs,
    }),
    clusters: source,
    clock,
    random,
    log,
    recordings,
    metrics,
    leadership,
    apply: { ignoreLabel: releaseKeys.labels.ignore, replacedManagers, ...(observe && { observe }) },
    isFrozen: true,
  });
  wakeJudged(runtime, judges);
  lookForLatePods(runtime, pods);
  onMirrorFailure(runtime, given.onMirrorFailure);
  return runtime;
}

/** Clusters as they are defined, with something between them and the operator. */
export function wrappedSource(wrap: (transport: Transport) => Transport): ClusterSource {
  return {
    ...clusterSource,
    define: async (object, secret) => {
      const definition = await clusterSource.define(object, secret);
      const open: typeof definition.open = () => {
        const link = definition.open();
        return { ...link, transport: wrap(link.transport) };
      };
      return { ...definition, open };
    },
  };
}
