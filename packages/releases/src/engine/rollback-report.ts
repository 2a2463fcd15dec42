// How a roll-back is told: that it began, that it ended, and that it waits (§6.10, step 7).
import type { ReleaseManagerStatus } from "@chaski/api";
import { formatTimestamp, timeMs } from "@chaski/kube";
import type { EventNote, Gate } from "@chaski/runtime/decision";
import { neededPods } from "./capacity.ts";
import { factorsFor, type Fleet } from "./fleet.ts";
import { type Incarnation, percentOf } from "./incarnation.ts";
import { sum } from "./numbers.ts";
import type { Rollback } from "./rollback.ts";

const STALL_MS = 60_000;

type Record = NonNullable<ReleaseManagerStatus["rollback"]>;

export interface RollbackReport {
  readonly record: Record | undefined;
  readonly events: readonly EventNote[];
  readonly gates: readonly Gate[];
  /** When it is said that it stalls. */
  readonly wakeAtMs?: number;
}

export interface RollbackScene {
  readonly before: Record | undefined;
  readonly rollback: Rollback | undefined;
  /** With the new percents. */
  readonly incarnations: readonly Incarnation[];
  readonly fleet: Fleet;
  readonly nowMs: number;
}

export function reportRollback(scene: RollbackScene): RollbackReport {
  const { rollback, incarnations } = scene;
  const failing = incarnations.filter(({ tag }) => rollback?.failing.some((candidate) => candidate.tag === tag));
  const left = sum(failing.map(percentOf));
  return rollback && left > 0 ? running(scene, { rollback, failing, left }) : ended(scene);
}

function ended({ before, rollback }: RollbackScene): RollbackReport {
  const over = before ?? (rollback && { tag: rollback.failing[0]?.tag, taker: rollback.taker?.tag });
  if (!over) return { record: undefined, events: [], gates: [] };
  const message = `the last traffic has left ${over.tag}; ${over.taker || "nobody"} has it`;
  return { record: undefined, events: [event("Normal", "RolledBack", message)], gates: [] };
}

interface Running {
  readonly rollback: Rollback;
  readonly failing: readonly Incarnation[];
  readonly left: number;
}

function running(scene: RollbackScene, { rollback, failing, left }: Running): RollbackReport {
  const { before, incarnations, fleet, nowMs } = scene;
  const hasMoved = sum(rollback.failing.map(percentOf)) !== left;
  const taker = incarnations.find(({ tag }) => tag === rollback.taker?.tag);
  const record = recordOf(before, { tag: failing[0]?.tag ?? "", taker: taker?.tag ?? "", hasMoved, nowMs });
  const gate = takeoverGate({ tag: record.tag, left, taker, fleet, since: record.since });
  const stallsAtMs = (timeMs(record.progressAt) ?? nowMs) + STALL_MS;
  return {
    record,
    events: eventsOf(before, record, gate),
    gates: [gate],
    ...(stallsAtMs > nowMs ? { wakeAtMs: stallsAtMs } : {}),
  };
}

function eventsOf(before: Record | undefined, record: Record, gate: Gate): readonly EventNote[] {
  const isNewlyStalled = record.stalledAt !== undefined && record.stalledAt !== before?.stalledAt;
  return [
    ...(before ? [] : [event("Warning", "RollingBack", gate.message)]),
    ...(isNewlyStalled ? [event("Warning", "RollbackStalled", gate.message)] : []),
  ];
}

interface Progress {
  readonly tag: string;
  readonly taker: string;
  readonly hasMoved: boolean;
  readonly nowMs: number;
}

/** Each move of traffic is progress; a minute without any is a stall, told once. */
function recordOf(before: Record | undefined, { tag, taker, hasMoved, nowMs }: Progress): Record {
  const now = formatTimestamp(nowMs);
  if (!before || hasMoved) return { tag, taker, since: before?.since ?? now, progressAt: now };
  const isStalled = (timeMs(before.progressAt) ?? nowMs) + STALL_MS <= nowMs;
  return isStalled ? { ...before, tag, taker, stalledAt: before.stalledAt ?? now } : { ...before, tag, taker };
}

interface Takeover {
  readonly tag: string;
  readonly left: number;
  readonly taker: Incarnation | undefined;
  readonly fleet: Fleet;
  readonly since: string;
}

function takeoverGate({ tag, left, taker, fleet, since }: Takeover): Gate {
  const common = { name: "Rollback", verdict: "waiting", subject: tag, since } as const;
  if (!taker?.settings) {
    return {
      ...common,
      message: `${tag} fails with ${left} % of the traffic and no good revision can take it`,
      unblock: "release a good revision",
    };
  }
  const base = taker.status.rollbackBase ?? 0;
  const need = neededPods(taker.settings.scale, base, 100, factorsFor(fleet.live, taker.revision));
  return {
    ...common,
    value: String(taker.pods.current),
    threshold: String(need),
    message: `${taker.tag} takes over from ${tag} (${left} % left): ${taker.pods.current} of ${need} pods ready, all traffic needs ${base}`,
    unblock: `more pods of ${taker.tag} become ready`,
  };
}

function event(type: EventNote["type"], reason: string, message: string): EventNote {
  return { type, reason, message };
}
