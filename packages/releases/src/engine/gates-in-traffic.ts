// What an incarnation passes on its way from its first traffic to all of it.
import type { Gate } from "@chaski/runtime/decision";
import { neededFor } from "./capacity.ts";
import { canaryEndMs, factsOf, isPromoted } from "./facts.ts";
import type { Gating } from "./gating.ts";
import { commandName, holdsOf } from "./hold.ts";
import { type Incarnation, percentOf } from "./incarnation.ts";
import { isCanarying } from "./states.ts";
import { nextIncrement } from "./strategy.ts";
import { earliestAt, sinceOf } from "./time-text.ts";
import { capacityOf, delayEndMs } from "./traffic.ts";

export function canaryGate(incarnation: Incarnation, { around }: Gating): readonly Gate[] {
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

export function holdGates(incarnation: Incarnation, { holding }: Gating): readonly Gate[] {
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

export function delayGate(incarnation: Incarnation, { around }: Gating): readonly Gate[] {
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

export function capacityGate(incarnation: Incarnation, { traffic }: Gating): readonly Gate[] {
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
