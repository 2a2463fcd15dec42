// What an incarnation passes before it gets traffic.
import type { Gate } from "@chaski/runtime/decision";
import { contactText } from "./contact-text.ts";
import { factsOf, overdueAtMs, testEndMs } from "./facts.ts";
import type { FleetCluster } from "./fleet.ts";
import type { Gating } from "./gating.ts";
import { commandName, pauseGates } from "./hold.ts";
import type { Incarnation } from "./incarnation.ts";
import { nextPermitted, scheduleOf } from "./schedule/calendar.ts";
import { isParked, isReleasing } from "./states.ts";
import { earliestAt, sinceOf, timestampText } from "./time-text.ts";

export function deployedGate(incarnation: Incarnation, { around }: Gating): readonly Gate[] {
  const { tag, state, pods, status } = incarnation;
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
      unblock: `its pods become ready${orFailsAt(overdueAtMs(incarnation, around.world.flags.stateLimitsMs))}`,
    },
  ];
}

function silenceOf({ isObserved, world: { contact } }: FleetCluster): string {
  return isObserved ? "" : `, which is ${contactText(contact)}`;
}

/** Nobody knows when it will be well, only when it is given up. */
function orFailsAt(ms: number | undefined): string {
  return ms === undefined ? "" : `; at ${timestampText(ms)} it is marked failed`;
}

export function testGate(incarnation: Incarnation): readonly Gate[] {
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

export function eligibleGate({ tag, state, status }: Incarnation): readonly Gate[] {
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
export function parkedPauseGate({ tag, state }: Incarnation, { around }: Gating): readonly Gate[] {
  return state === "pendingrelease" ? pauseGates(around.world, tag) : [];
}

export function scheduleGate(incarnation: Incarnation, { around }: Gating): readonly Gate[] {
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
