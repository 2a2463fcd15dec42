import { type KubeObject, semanticallyEqual } from "@chaski/kube";
import type { Decision, EventNote } from "./decision.ts";

/** How many decisions may follow from one another before something is written. */
export const AHEAD_MAX = 8;

type Decided<Status> = Pick<Decision<Status>, "status" | "gates" | "patches" | "events" | "stalled">;

/** A decision before it is known what is wanted on the clusters: of several that follow one another, only the last tells. */
export interface Step<Status> extends Decided<Status> {
  /** The whole decision, which tells these events. */
  complete(events: readonly EventNote[]): Decision<Status>;
}

export interface Ahead<T, Status, S> {
  readonly decide: (owner: T) => S;
  /** Whether the next may follow from the decided status before it is written. */
  readonly mayFollow: (before: T, decided: Status) => boolean;
}

/**
 * What passes would come to if nothing happened between them: each decides on the status that the one before decided.
 * It ends where the status stays, and where something is patched: that shows in the caches only when it is written.
 */
export function decideAhead<T extends KubeObject, Status, S extends Decided<Status>>(
  owner: T,
  { decide, mayFollow }: Ahead<T, Status, S>,
): S {
  let [object, last] = [owner, decide(owner)];
  const events = [...last.events];
  for (let made = 1; made < AHEAD_MAX && movesOn(object, last, mayFollow); made++) {
    object = { ...object, status: { ...last.status, gates: last.gates } };
    last = decide(object);
    events.push(...last.events);
  }
  return { ...last, events };
}

function movesOn<T extends KubeObject, Status>(
  owner: T,
  { status, patches, stalled }: Decided<Status>,
  mayFollow: Ahead<T, Status, unknown>["mayFollow"],
): boolean {
  if (status === undefined || stalled !== undefined || patches.length > 0) return false;
  if (!mayFollow(owner, status)) return false;
  const { gates: _gates, ...before } = (owner as { readonly status?: { readonly gates?: unknown } }).status ?? {};
  return !semanticallyEqual(status, before);
}
