// What each incarnation has passed and what it waits for, in the order in which it gets there.
import { GATES_MAX, type Gate } from "@chaski/runtime/decision";
import { deployedGate, eligibleGate, parkedPauseGate, scheduleGate, testGate } from "./gates-before-traffic.ts";
import { canaryGate, capacityGate, delayGate, holdGates } from "./gates-in-traffic.ts";
import { drainGates } from "./gates-leaving.ts";
import type { Gating } from "./gating.ts";
import type { Incarnation } from "./incarnation.ts";
import { isBeforeTraffic, isCanarying, isLeaving, isParked } from "./states.ts";
import { sinceOf } from "./time-text.ts";

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
