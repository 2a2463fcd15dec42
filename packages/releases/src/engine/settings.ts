// A Revision's target as the engine reads it: parsed once, with defaults, into numbers that can't be wrong.
import { defaultTarget, mutateTarget, type Revision, type RevisionTarget } from "@chaski/api";
import { parseQuantity, timeMs } from "@chaski/kube";
import { durationMs, PERCENT, PODS, whole } from "./numbers.ts";

export type Strategy =
  | { readonly type: "linear"; readonly increment: number; readonly delayMs: number }
  | { readonly type: "geometric"; readonly start: number; readonly factor: number; readonly delayMs: number }
  | { readonly type: "unknown"; readonly name: string; readonly delayMs: number };

export interface ReleaseSettings {
  readonly isEligible: boolean;
  readonly max: number;
  readonly strategy: Strategy;
  readonly schedule: string;
  readonly ttlSeconds: number;
}

export interface ScaleSettings {
  /** Undefined only in hand-made settings: the defaults give one (D-20). */
  readonly min: number | undefined;
  readonly default: number;
  readonly max: number;
  readonly autoscaler: "metrics" | "worker" | "keda" | "none";
  readonly cpuPercent: number | undefined;
  readonly memoryPercent: number | undefined;
  readonly requestsRateMilli: number | undefined;
}

export type TestStatus = "disabled" | "pending" | "started" | "succeeded" | "failed";

export interface TargetSettings {
  /** With defaults. */
  readonly target: RevisionTarget;
  readonly release: ReleaseSettings;
  readonly scale: ScaleSettings;
  readonly canary: { readonly percent: number; readonly ttlMs: number };
  /** Listed ones, enabled or not: a canary needs one to be judged by (D-59). */
  readonly objectiveCount: number;
  readonly isDatadog: boolean;
  readonly test: {
    readonly status: TestStatus;
    readonly timeoutMs: number | undefined;
    readonly updatedMs: number | undefined;
  };
  readonly isAmbient: boolean;
}

const SECONDS = { min: 0, max: 1e10 };

const read = new WeakMap<Revision, Map<string, TargetSettings | undefined>>();

/** Read once: worlds are made of values, so the same Revision always says the same. */
export function settingsOf(revision: Revision, targetName: string): TargetSettings | undefined {
  const byTarget = read.get(revision) ?? new Map<string, TargetSettings | undefined>();
  if (!byTarget.has(targetName)) {
    byTarget.set(targetName, readSettings(revision, targetName));
    read.set(revision, byTarget);
  }
  return byTarget.get(targetName);
}

/** As admission would have left it: a webhook that is absent does no harm (D-07). */
function readSettings(revision: Revision, targetName: string): TargetSettings | undefined {
  const given = (revision.spec?.targets ?? []).find((candidate) => candidate?.name === targetName);
  if (!given) return undefined;
  const target = mutateTarget(defaultTarget(given));
  return {
    target,
    release: releaseSettings(target),
    scale: scaleSettings(target),
    canary: {
      percent: whole(target.canary?.percent, PERCENT, 0),
      ttlMs: whole(target.canary?.ttl, SECONDS, 0) * 1000,
    },
    objectiveCount: (target.serviceLevelObjectives ?? []).length,
    isDatadog: target.datadogMonitoring?.enabled === true,
    test: testSettings(target),
    isAmbient: target.ambientMesh === true,
  };
}

function releaseSettings({ release = {} }: RevisionTarget): ReleaseSettings {
  return {
    isEligible: release.eligible === true,
    max: whole(release.max, PERCENT, 100),
    strategy: strategyOf(release),
    schedule: String(release.schedule),
    ttlSeconds: whole(release.ttl, SECONDS, 0),
  };
}

function strategyOf({
  scalingStrategy,
  linearScaling,
  geometricScaling,
}: NonNullable<RevisionTarget["release"]>): Strategy {
  if (scalingStrategy === "linear") {
    const increment = whole(linearScaling?.increment, { min: 1, max: 100 }, 5);
    return { type: "linear", increment, delayMs: durationMs(linearScaling?.delay) ?? DELAY_MS };
  }
  const delayMs = durationMs(geometricScaling?.delay) ?? DELAY_MS;
  if (scalingStrategy !== "geometric") return { type: "unknown", name: String(scalingStrategy), delayMs };
  const start = whole(geometricScaling?.start, { min: 1, max: 100 }, 10);
  return { type: "geometric", start, factor: whole(geometricScaling?.factor, { min: 2, max: 100 }, 2), delayMs };
}

const DELAY_MS = 10_000;

function scaleSettings({ scale }: RevisionTarget): ScaleSettings {
  const cpuPercent = positive(scale.targetCPUUtilizationPercentage);
  const memoryPercent = positive(scale.targetMemoryUtilizationPercentage);
  const requestsRateMilli = milliOf(scale.targetRequestsRate);
  const hasMetric = cpuPercent !== undefined || memoryPercent !== undefined || requestsRateMilli !== undefined;
  const max = whole(scale.max, { ...PODS, min: 1 }, 1);
  return {
    min: whole(scale.min, PODS, Math.min(1, max)),
    default: whole(scale.default, PODS, 1),
    max,
    autoscaler: autoscalerOf(scale, hasMetric),
    cpuPercent,
    memoryPercent,
    requestsRateMilli,
  };
}

function autoscalerOf(
  { worker, kedaWorker }: RevisionTarget["scale"],
  hasMetric: boolean,
): ScaleSettings["autoscaler"] {
  if (worker) return "worker";
  if (kedaWorker) return "keda";
  return hasMetric ? "metrics" : "none";
}

function positive(value: unknown): number | undefined {
  const number = whole(value, PODS, 0);
  return number > 0 ? number : undefined;
}

/** An unparsable rate is as good as absent (§6.7). */
function milliOf(rate: unknown): number | undefined {
  if (typeof rate !== "string" && typeof rate !== "number") return undefined;
  const quantity = parseQuantity(rate);
  if (!quantity.ok) return undefined;
  const milli = Number(quantity.value.nanos / 1_000_000n);
  return milli > 0 && Number.isSafeInteger(milli) ? milli : undefined;
}

function testSettings({ externalTest: test }: RevisionTarget): TargetSettings["test"] {
  return {
    status: testStatus(test),
    timeoutMs: durationMs(test?.timeout),
    updatedMs: timeMs(test?.lastUpdated),
  };
}

function testStatus(test: RevisionTarget["externalTest"]): TestStatus {
  if (!test) return "disabled";
  if (test.completed) return test.succeeded === true ? "succeeded" : "failed";
  if (test.started) return "started";
  return test.enabled ? "pending" : "disabled";
}
