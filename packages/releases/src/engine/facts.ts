// What the state table asks about one incarnation (§5.3).
import { releaseKeys } from "@chaski/api";
import { timeMs } from "@chaski/kube";
import { type Drain, isDrainedEverywhere } from "./draining.ts";
import { type Fleet, unobserved } from "./fleet.ts";
import { type Incarnation, percentOf } from "./incarnation.ts";
import { isFrozen, permits, scheduleOf } from "./schedule/calendar.ts";
import { type Facts, limitOf } from "./state-table.ts";
import { isLeaving } from "./states.ts";
import type { ReleaseWorld } from "./world.ts";

/** What is the same for every incarnation of a pass. */
export interface Surroundings {
  readonly world: ReleaseWorld;
  readonly fleet: Fleet;
  readonly drain: Drain;
  readonly incarnations: readonly Incarnation[];
}

export function factsOf(incarnation: Incarnation, around: Surroundings): Facts {
  const { settings, status, pods } = incarnation;
  const { nowMs } = around.world;
  return {
    hasRevision: settings !== undefined,
    isMarkedFailed: isMarkedFailed(incarnation),
    test: settings?.test.status ?? "unknown",
    isTestTimingOut: isTestTimingOut(incarnation, nowMs),
    hasTestTimeout: isTestRunning(incarnation) && testEndMs(incarnation) !== undefined,
    isDeployed: pods.current >= pods.desired && pods.isEverywhere,
    isEligible: status.releaseEligible,
    isCanaryPending: isCanaryPending(incarnation, around),
    isDatadog: settings?.isDatadog === true,
    isExpired: isExpired(incarnation, nowMs),
    isScheduled: isScheduled(incarnation, around.world),
    isPaused: pauseReason(around.world) !== undefined,
    hasTraffic: status.currentPercent > 0,
    isFullyReleased: isFullyReleased(incarnation),
    isDrained: isDrainedEverywhere(incarnation, around.fleet, around.drain),
    isGone: isGone(incarnation, around.fleet),
    isTaker: false,
    isOverdue: isOverdue(incarnation, around),
  };
}

function isMarkedFailed({ revision }: Incarnation): boolean {
  return revision?.spec.failed === true;
}

/** Entered only with all that it may have; it once had everything (§6.10, step 6). */
function isFullyReleased({ status, settings }: Incarnation): boolean {
  return status.peakPercent >= 100 && status.currentPercent >= (settings?.release.max ?? 100);
}

export function pauseReason({ releaseManager }: ReleaseWorld): string | undefined {
  return releaseManager.metadata.annotations?.[releaseKeys.annotations.paused];
}

/** A person has asked for this tag: schedule, canary time and delay do not hold it. */
export function isPromoted({ releaseManager }: ReleaseWorld, tag: string): boolean {
  return releaseManager.metadata.annotations?.[releaseKeys.annotations.promote] === tag;
}

/** Whether anything but this incarnation has traffic and is to keep it. */
function hasRivals({ tag }: Incarnation, incarnations: readonly Incarnation[]): boolean {
  return incarnations.some((other) => other.tag !== tag && percentOf(other) > 0 && !isLeaving(other.state));
}

/**
 * With nothing else serving there is no canary: nothing to compare with, nobody to spare (D-72). Beside what only
 * leaves there is none either: a canary can't take what it gives up, and both would wait for ever.
 */
function isCanaryPending(incarnation: Incarnation, { world, incarnations }: Surroundings): boolean {
  const { settings, tag } = incarnation;
  if (!settings || settings.canary.percent === 0 || settings.canary.ttlMs === 0) return false;
  if (settings.objectiveCount === 0 && !settings.isDatadog) return false;
  if (isPromoted(world, tag) || !hasRivals(incarnation, incarnations)) return false;
  const endMs = canaryEndMs(incarnation);
  return endMs === undefined || endMs > world.nowMs;
}

/** Undefined until traffic has arrived. */
export function canaryEndMs({ settings, status }: Incarnation): number | undefined {
  const startMs = timeMs(status.canaryStartTimestamp);
  return startMs === undefined || !settings ? undefined : startMs + settings.canary.ttlMs;
}

function isTestRunning({ settings }: Incarnation): boolean {
  return settings?.test.status === "started" || settings?.test.status === "pending";
}

export function testEndMs({ settings, status }: Incarnation): number | undefined {
  const baseMs = settings?.test.updatedMs ?? timeMs(status.state.lastUpdated);
  const timeoutMs = settings?.test.timeoutMs;
  return baseMs === undefined || timeoutMs === undefined ? undefined : baseMs + timeoutMs;
}

function isTestTimingOut(incarnation: Incarnation, nowMs: number): boolean {
  const endMs = testEndMs(incarnation);
  return isTestRunning(incarnation) && endMs !== undefined && endMs < nowMs;
}

export function expiryMs({ createdMs, status }: Incarnation): number {
  return createdMs + (status.ttl ?? 0) * 1000;
}

function isExpired(incarnation: Incarnation, nowMs: number): boolean {
  return expiryMs(incarnation) < nowMs;
}

/** Once released beyond its canary it may come back at any time; a freeze holds what is new. */
function isScheduled(incarnation: Incarnation, world: ReleaseWorld): boolean {
  const { settings, status, createdMs, tag } = incarnation;
  const { nowMs, flags, calendars } = world;
  if (!settings) return false;
  if (isPromoted(world, tag) || (status.peakPercent > 0 && status.peakPercent > settings.canary.percent)) return true;
  if (!flags.isHumaneReleasesEnabled && settings.release.schedule !== "always") return false;
  if (calendars.some((calendar) => isFrozen(calendar, nowMs))) return false;
  const schedule = scheduleOf(settings.release.schedule);
  return permits(schedule, nowMs, calendars) || (createdMs > 0 && permits(schedule, createdMs, calendars));
}

export function overdueAtMs(
  { state, status }: Incarnation,
  limitsMs: Readonly<Record<string, number>>,
): number | undefined {
  const limitMs = state && limitOf(state, limitsMs);
  const sinceMs = timeMs(status.state.lastUpdated);
  return limitMs === undefined || sinceMs === undefined ? undefined : sinceMs + limitMs;
}

/** A cluster that nobody can see is no reason to fail a revision. */
function isOverdue(incarnation: Incarnation, { world, fleet }: Surroundings): boolean {
  const atMs = overdueAtMs(incarnation, world.flags.stateLimitsMs);
  return atMs !== undefined && atMs < world.nowMs && unobserved(fleet).length === 0;
}

function isGone({ tag, pods }: Incarnation, { clusters }: Fleet): boolean {
  const isOfTag = (labels: Readonly<Record<string, string>> | undefined): boolean =>
    labels?.[releaseKeys.labels.tag] === tag;
  return (
    Object.keys(pods.byCluster).length === 0 &&
    clusters.every(({ isKnown, world }) => isKnown && !world.owned.some(({ metadata }) => isOfTag(metadata.labels)))
  );
}
