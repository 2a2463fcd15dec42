// The next moment at which the same world would be decided differently.
import { timeMs } from "@chaski/kube";
import { drainedAtMs } from "./draining.ts";
import { canaryEndMs, expiryMs, overdueAtMs, type Surroundings, testEndMs } from "./facts.ts";
import { candidateOf, nextGarbageMs } from "./garbage.ts";
import { nextStep } from "./gates-in-traffic.ts";
import type { Incarnation } from "./incarnation.ts";
import { nextPermitted, scheduleOf } from "./schedule/calendar.ts";
import { isCanarying } from "./states.ts";
import { delayEndMs } from "./traffic.ts";

/** Undefined: only an event can change the answer. */
export function wakeAtMs(
  around: Surroundings,
  incarnations: readonly Incarnation[],
  also: readonly (number | undefined)[],
): number | undefined {
  const { nowMs, calendars, flags } = around.world;
  const times = incarnations.flatMap((incarnation) => [
    isCanarying(incarnation.state) ? canaryEndMs(incarnation) : undefined,
    after(testEndMs(incarnation)),
    after(overdueAtMs(incarnation, flags.stateLimitsMs)),
    nextStep(incarnation) === undefined ? undefined : delayEndMs(incarnation),
    incarnation.state === "deployed" || incarnation.state === "tested" ? after(expiryMs(incarnation)) : undefined,
    incarnation.state === "pendingrelease" ? scheduleTime(incarnation, nowMs, calendars) : undefined,
    ...around.fleet.clusters.map((cluster) => drainedAtMs(incarnation.status, cluster, around.drain)),
    ...(incarnation.status.unrouted ?? []).map(({ since }) => (timeMs(since) ?? 0) + flags.drainMs),
  ]);
  const ahead = [...times, nextGarbageMs(incarnations.map(candidateOf), nowMs), ...also].filter(
    (atMs) => atMs !== undefined && atMs > nowMs,
  ) as number[];
  return ahead.length > 0 ? Math.min(...ahead) : undefined;
}

/** Limits are passed, not reached. */
function after(atMs: number | undefined): number | undefined {
  return atMs === undefined ? undefined : atMs + 1;
}

function scheduleTime(
  { settings }: Incarnation,
  nowMs: number,
  calendars: Surroundings["world"]["calendars"],
): number | undefined {
  return settings && nextPermitted(scheduleOf(settings.release.schedule), nowMs, calendars);
}
