// What each incarnation has passed and what it waits for, in the order in which it gets there.
import { GATES_MAX, type Gate } from "@chaski/runtime/decision";
import { contactText } from "./contact-text.ts";
import { neededFor } from "./capacity.ts";
import { drainedAtMs } from "./draining.ts";
import { canaryEndMs, factsOf, isPromoted, overdueAtMs, type Surroundings, testEndMs } from "./facts.ts";
import type { FleetCluster } from "./fleet.ts";
import { commandName, type Holding, holdsOf, pauseGates } from "./hold.ts";
import { type Incarnation, percentOf } from "./incarnation.ts";
import { nextPermitted, scheduleOf } from "./schedule/calendar.ts";
import { isBeforeTraffic, isCanarying, isLeaving, isParked, isReleasing } from "./states.ts";
import { nextIncrement } from "./strategy.ts";
import { sinceOf, timestampText } from "./time-text.ts";
import { capacityOf, delayEndMs, type Traffic } from "./traffic.ts";

export interface Gating {
  readonly around: Surroundings;
  readonly holding: Holding;
  readonly traffic: Traffic;
}

type Maker = (incarnation: Incarnation, gating: Gating) => readonly Gate[];

const BEFORE_TRAFFIC: readonly Maker[] = [deployedGate, testGate, eligibleGate, parkedPauseGate, scheduleGate];
const IN_TRAFFIC: readonly Maker[] = [canaryGate, holdGates, delayGate, capacityGate];

/** The newest first; what is done or retired has nothing to say. */
export function gatesOf(incarnations: readonly Incarnation[], gating: Gating): readonly Gate[] {
  return incarnations
    .flatMap((incarnation) => makersFor(incarnation).flatMap((make) => make(incarnation, gating)))
    .slice(0, GATES_MAX);
}

function makersFor({ state }: Incarnation): readonly Maker[] {
  if (state === undefined) return [unknownStateGate];
  if (state === "timingout") return [timeoutGate];
  if (isLeaving(state)) return [drainGates];
  if (isCanarying(state) || state === "releasing") return [...BEFORE_TRAFFIC, ...IN_TRAFFIC];
  return isBeforeTraffic(state) || isParked(state) ? BEFORE_TRAFFIC : [];
}

function unknownStateGate({ tag, status }: Incarnation): readonly Gate[] {
  const message = `${tag} is in a state that does not exist: ${JSON.stringify(status.state.current).slice(0, 64)}`;
  return [{ name: "State", verdict: "failed", subject: tag, message, unblock: "remove its entry from the status" }];
}

function timeoutGate({ tag, status }: Incarnation): readonly Gate[] {
  const message = `${tag} took too long and is about to be marked failed`;
  const unblock = "its Revision is marked failed, or goes";
  return [{ name: "InTime", verdict: "failed", subject: tag, message, unblock, ...sinceOf(status.state.lastUpdated) }];
}

function deployedGate({ tag, state, pods, status }: Incarnation, { around }: Gating): readonly Gate[] {
  const counts = { subject: tag, value: String(pods.current), threshold: String(Math.max(1, pods.desired)) };
  if (state !== "created" && state !== "deploying")
    return [{ name: "Deployed", verdict: "passed", message: `${tag} is deployed`, ...counts }];
  const lacking = around.fleet.live.find(
    ({ name }) => (pods.byCluster[name]?.available ?? 0) < Math.max(1, pods.byCluster[name]?.desired ?? 1),
  );
  const there = lacking && pods.byCluster[lacking.name];
  const where = lacking
    ? `, ${there ? `${there.available} of ${there.desired}` : "none"} on cluster ${lacking.name}${silenceOf(lacking)}`
    : "";
  return [
    {
      name: "Deployed",
      verdict: "waiting",
      message: `${tag} has ${pods.current} of ${Math.max(1, pods.desired)} pods ready${where}`,
      ...counts,
      ...(lacking ? { cluster: lacking.name } : {}),
      ...sinceOf(status.state.lastUpdated),
      unblock: `its pods become ready${orFailsAt(overdueAtMs({ state, status } as Incarnation, around.world.flags.stateLimitsMs))}`,
    },
  ];
}

function silenceOf({ isObserved, world: { contact } }: FleetCluster): string {
  return isObserved ? "" : `, which is ${contactText(contact)}`;
}

function earliestAt(ms: number | undefined): { readonly earliest?: string } {
  return ms === undefined ? {} : { earliest: timestampText(ms) };
}

/** Nobody knows when it will be well, only when it is given up. */
function orFailsAt(ms: number | undefined): string {
  return ms === undefined ? "" : `; at ${timestampText(ms)} it is marked failed`;
}

function testGate(incarnation: Incarnation): readonly Gate[] {
  const { tag, settings, state, status } = incarnation;
  const test = settings?.test.status ?? "disabled";
  if (test === "disabled" || state === "created" || state === "deploying") return [];
  if (test === "succeeded")
    return [{ name: "Tested", verdict: "passed", subject: tag, message: `the external test of ${tag} succeeded` }];
  return [
    {
      name: "Tested",
      verdict: test === "failed" ? "failed" : "waiting",
      subject: tag,
      value: test,
      message: `the external test of ${tag} is ${test}`,
      ...sinceOf(status.state.lastUpdated),
      unblock: `the test writes its result to externalTest${test === "failed" ? "" : orFailsAt(testEndMs(incarnation))}`,
    },
  ];
}

function eligibleGate({ tag, state, status }: Incarnation): readonly Gate[] {
  if (state === "created" || state === "deploying") return [];
  return status.releaseEligible
    ? [{ name: "Eligible", verdict: "passed", subject: tag, message: `${tag} may be released` }]
    : [
        {
          name: "Eligible",
          verdict: "waiting",
          subject: tag,
          value: "false",
          threshold: "true",
          message: `${tag} is not eligible for a release`,
          unblock: "set release.eligible to true",
        },
      ];
}

/** With traffic it is one of the things that hold it. */
function parkedPauseGate({ tag, state }: Incarnation, { around }: Gating): readonly Gate[] {
  return state === "pendingrelease" ? pauseGates(around.world, tag) : [];
}

function scheduleGate(incarnation: Incarnation, { around }: Gating): readonly Gate[] {
  const { tag, settings, state, status } = incarnation;
  if (!settings || !(isParked(state) || isReleasing(state))) return [];
  const { schedule } = settings.release;
  if (state !== "pendingrelease" || factsOf(incarnation, around).isScheduled) {
    return [
      {
        name: "Schedule",
        verdict: "passed",
        subject: tag,
        value: schedule,
        message: `the schedule ${schedule} permits it`,
      },
    ];
  }
  const { nowMs, calendars } = around.world;
  return [
    {
      name: "Schedule",
      verdict: "waiting",
      subject: tag,
      value: schedule,
      message: `the schedule ${schedule} does not permit a release now`,
      ...sinceOf(status.state.lastUpdated),
      unblock: `wait, or chaski promote ${commandName(around.world)} ${tag}`,
      ...earliestAt(nextPermitted(scheduleOf(schedule), nowMs, calendars)),
    },
  ];
}

function canaryGate(incarnation: Incarnation, { around }: Gating): readonly Gate[] {
  const { tag, settings, state, status } = incarnation;
  if (!isCanarying(state) || !settings) return [];
  const endMs = canaryEndMs(incarnation);
  const isOver = !factsOf(incarnation, around).isCanaryPending;
  return [
    {
      name: "CanaryTime",
      verdict: isOver ? "passed" : "waiting",
      subject: tag,
      value: `${percentOf(incarnation)} %`,
      threshold: `${settings.canary.percent} %`,
      message: isOver
        ? `the canary of ${tag} is over`
        : `the canary of ${tag} lasts ${settings.canary.ttlMs / 1000} s from its first traffic`,
      ...sinceOf(status.canaryStartTimestamp),
      unblock: `wait, or chaski promote ${commandName(around.world)} ${tag}`,
      ...earliestAt(endMs),
    },
  ];
}

function holdGates(incarnation: Incarnation, { holding }: Gating): readonly Gate[] {
  const { tag } = incarnation;
  const holds = holdsOf(incarnation, holding);
  return holds.length > 0
    ? holds
    : [
        {
          name: "Unheld",
          verdict: "passed",
          subject: tag,
          message: `nothing holds ${tag}: every cluster is seen, every judge content`,
        },
      ];
}

/** Where its strategy takes it next; undefined when it is there. */
export function nextStep(incarnation: Incarnation): number | undefined {
  const { settings, state } = incarnation;
  if (!settings) return undefined;
  const limit = isCanarying(state) ? settings.canary.percent : 100;
  const next = nextIncrement(settings.release, percentOf(incarnation), limit);
  return next > percentOf(incarnation) ? next : undefined;
}

function delayGate(incarnation: Incarnation, { around }: Gating): readonly Gate[] {
  const { tag, status } = incarnation;
  const next = nextStep(incarnation);
  if (next === undefined) return [];
  const endMs = delayEndMs(incarnation);
  const isOver = endMs <= around.world.nowMs || isPromoted(around.world, tag);
  return [
    {
      name: "Delay",
      verdict: isOver ? "passed" : "waiting",
      subject: tag,
      value: `${percentOf(incarnation)} %`,
      threshold: `${next} %`,
      message: isOver ? `${tag} may take its next step` : `${tag} waits before its next step`,
      ...sinceOf(status.lastUpdated),
      ...(isOver ? {} : { unblock: "time passes", ...earliestAt(endMs) }),
    },
  ];
}

function capacityGate(incarnation: Incarnation, { traffic }: Gating): readonly Gate[] {
  const { tag, pods, status } = incarnation;
  const next = nextStep(incarnation);
  const capacity = capacityOf(incarnation, traffic);
  if (next === undefined || !capacity) return [];
  const need = neededFor(capacity, next);
  const isEnough = need !== undefined && pods.current >= need;
  return [
    {
      name: "Capacity",
      verdict: isEnough ? "passed" : "waiting",
      subject: tag,
      value: String(pods.current),
      threshold: String(need ?? "scale.min"),
      message: `${tag} has ${pods.current} of ${need ?? "unknown"} ready pods for ${next} %`,
      ...(isEnough ? {} : { ...sinceOf(status.lastUpdated), unblock: "more of its pods become ready" }),
    },
  ];
}

function drainGates({ tag, state, status }: Incarnation, { around }: Gating): readonly Gate[] {
  if (status.currentPercent > 0) {
    const message = `${tag} is ${state} and has ${status.currentPercent} % of the traffic until another can take it`;
    return [
      {
        name: "Drained",
        verdict: "waiting",
        subject: tag,
        value: `${status.currentPercent} %`,
        threshold: "0 %",
        message,
        unblock: "another revision has the pods to take its traffic",
        ...sinceOf(status.state.lastUpdated),
      },
    ];
  }
  return around.fleet.clusters.flatMap((cluster) => {
    const atMs = drainedAtMs(status, cluster, around.drain);
    if (atMs !== undefined && atMs <= around.world.nowMs) return [];
    const message =
      atMs === undefined
        ? `a route of cluster ${cluster.name} still names ${tag}`
        : `the last requests of ${tag} drain on cluster ${cluster.name}`;
    return [
      {
        name: "Drained",
        verdict: "waiting" as const,
        subject: tag,
        cluster: cluster.name,
        message,
        unblock: atMs === undefined ? "the route of the cluster is written" : "time passes",
        ...sinceOf(status.unrouted?.find((entry) => entry.cluster === cluster.name)?.since ?? status.state.lastUpdated),
        ...earliestAt(atMs),
      },
    ];
  });
}
