// One step of the state machine for every incarnation, newest first, and what a step writes down (§5.6).
import { type IncarnationStatus, type Revision, Revision as RevisionKind } from "@chaski/api";
import { apiVersionOf, defined, formatTimestamp } from "@chaski/kube";
import type { EventNote } from "@chaski/runtime/decision";
import { factsOf, type Surroundings } from "./facts.ts";
import { loadOfOthers } from "./capacity.ts";
import { type Incarnation, savedEntries, withStatus } from "./incarnation.ts";
import { findRollback, rollbackBase } from "./rollback.ts";
import { type Facts, step } from "./state-table.ts";
import { isCanarying, isReleasing, type State } from "./states.ts";

export interface Ticked {
  readonly incarnations: readonly Incarnation[];
  readonly events: readonly EventNote[];
}

/** At most one transition each. A roll-back's taker steps by the knowledge that it is needed. */
export function tick(around: Surroundings): Ticked {
  const first = around.incarnations.map((incarnation) => advance(incarnation, around, {}));
  const taker = findRollback(first.map(({ incarnation }) => incarnation))?.taker;
  const steps = first.map((result, index) => {
    const before = around.incarnations[index];
    return before && before.tag === taker?.tag ? advance(asTaker(before, around), around, { isTaker: true }) : result;
  });
  return {
    incarnations: steps.map(({ incarnation }) => incarnation),
    events: steps.flatMap(({ event }) => (event ? [event] : [])),
  };
}

interface Advanced {
  readonly incarnation: Incarnation;
  readonly event?: EventNote;
}

function advance(incarnation: Incarnation, around: Surroundings, known: Partial<Facts>): Advanced {
  const { state } = incarnation;
  if (state === undefined) return { incarnation };
  const now = formatTimestamp(around.world.nowMs);
  const { to, because = "" } = step(state, { ...factsOf(incarnation, around), ...known });
  const moved = { ...stamped(incarnation, to, now), state: to };
  if (to === state) return { incarnation: moved };
  return { incarnation: moved, event: eventOf(incarnation, around.world.releaseManager.spec.target, to, because) };
}

/** What it needs is settled from what it had; one that does not release yet is recommissioned. */
function asTaker(incarnation: Incarnation, { world }: Surroundings): Incarnation {
  const base = rollbackBase(incarnation, loadOfOthers(savedEntries(world), incarnation.tag));
  const settled = withStatus(incarnation, { rollbackBase: base });
  return isReleasing(incarnation.state) ? settled : recommission(settled);
}

/** Eligible again, and as good as one that had all of the traffic (§4.3). */
export function recommission(incarnation: Incarnation): Incarnation {
  return withStatus(incarnation, { releaseEligible: true, peakPercent: 100 });
}

function stamped(incarnation: Incarnation, to: State, now: string): Incarnation {
  const { status, state } = incarnation;
  const lastUpdated = to === state ? (status.state.lastUpdated ?? now) : now;
  const isRedeployed = to === "deploying" && state !== "deploying";
  const { triggeredAlerts, ...cleared } = status;
  return {
    ...incarnation,
    status: {
      ...cleared,
      ...(isRedeployed || triggeredAlerts === undefined ? {} : { triggeredAlerts }),
      ...startOf(status, to, now),
      state: { current: to, target: to, lastUpdated },
    },
  };
}

/** Each is set once. A canary's time starts with its traffic. */
function startOf(status: IncarnationStatus, to: State, now: string): Partial<IncarnationStatus> {
  if (to === "deploying") return { deployingStartTimestamp: status.deployingStartTimestamp ?? now };
  if (to === "pendingrelease") return { pendingReleaseStartTimestamp: status.pendingReleaseStartTimestamp ?? now };
  if (to === "releasing") return { releaseStartTimestamp: status.releaseStartTimestamp ?? now };
  if (isCanarying(to) && status.currentPercent > 0) return { canaryStartTimestamp: status.canaryStartTimestamp ?? now };
  return {};
}

const WARNINGS: ReadonlySet<State> = new Set(["failing", "failed", "timingout"]);

/**
 * Told of the Revision while there is one: a ReleaseManager that releases often has more to tell than the API server is
 * asked to keep of one object, and the last of it would be lost.
 */
function eventOf({ tag, revision }: Incarnation, target: string, to: State, because: string): EventNote {
  const reason = `${to.charAt(0).toUpperCase()}${to.slice(1)}`;
  const message = `${tag} is ${to} in ${target}: ${because}`;
  return { type: WARNINGS.has(to) ? "Warning" : "Normal", reason, message, ...(revision && aboutRevision(revision)) };
}

function aboutRevision({ metadata: { namespace, name, uid } }: Revision): Pick<EventNote, "regarding"> {
  const metadata = defined({ namespace, name, uid });
  return { regarding: { apiVersion: apiVersionOf(RevisionKind), kind: RevisionKind.kind, metadata } };
}
