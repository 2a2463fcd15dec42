import type { CanaryStatus } from "@chaski/api";
import { refTo } from "@chaski/kube";
import {
  type Decision,
  decision,
  type Entry,
  type EventNote,
  type Gate,
  keep,
  LOCAL_CLUSTER,
  type Stall,
} from "@chaski/runtime/decision";
import { kindOfOwned } from "../objects/owned-kinds.ts";
import { type Progress, reportStatus } from "./report.ts";
import { hasMissedDeadline, type Side } from "./side.ts";
import { syncEvents } from "./sync-event.ts";
import type { CanaryWorld } from "./world.ts";

export interface Outcome extends Progress {
  readonly entries: readonly Entry[];
  readonly events: readonly EventNote[];
}

/** The decision that brings the outcome about; what is ours and was not mentioned stays. */
export function decided(world: CanaryWorld, outcome: Outcome): Decision<CanaryStatus> {
  return decision({
    status: reportStatus(world.canary, world.nowMs, outcome),
    gates: outcome.gates,
    events: [...outcome.events, ...syncEvents(world, outcome.entries), ...stallEvents(world, outcome.stall)],
    desired: [{ cluster: LOCAL_CLUSTER, entries: [...outcome.entries, ...keepTheRest(world, outcome.entries)] }],
  });
}

/** Nothing is touched until the Canary, or what is in its way, changes. */
export function halted(world: CanaryWorld, stall: Stall, gates: readonly Gate[]): Decision<CanaryStatus> {
  const status = world.canary.status ?? {};
  return {
    ...decided(world, { status, gates, phase: "Progressing", stall, entries: [], events: [] }),
    stalled: stall,
  };
}

/** The Deployment controller has given up waiting: told, and held; nobody is rolled back by default. */
export function missedDeadline(side: Side): Stall | undefined {
  if (!side.deployment || !hasMissedDeadline(side)) return undefined;
  const message = `the pods of Deployment ${side.deployment.metadata.name} have not become ready within its progress deadline; the release holds`;
  return { reason: "ProgressDeadlineExceeded", message };
}

/** Once per stall: the same one is not told again. */
function stallEvents({ canary }: CanaryWorld, stall: Stall | undefined): readonly EventNote[] {
  const before = canary.status?.conditions?.find(({ type }) => type === "Stalled");
  const isKnown = before?.status === "True" && before.reason === stall?.reason && before.message === stall?.message;
  return stall === undefined || isKnown ? [] : [{ type: "Warning", reason: stall.reason, message: stall.message }];
}

function keepTheRest({ owned }: CanaryWorld, entries: readonly Entry[]): readonly Entry[] {
  const mentioned = new Set(entries.map(({ ref }) => `${ref.kind.kind}/${ref.name}`));
  return owned
    .filter(({ kind, metadata }) => !mentioned.has(`${kind}/${metadata.name}`))
    .flatMap((object) => {
      const kind = kindOfOwned(object);
      return kind ? [keep(refTo(kind, object))] : [];
    });
}
