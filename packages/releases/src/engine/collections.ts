// The groups of incarnations that rules speak of (§5.2). Input and output are newest first.
import type { Incarnation } from "./incarnation.ts";
import { isAlertable, isCanaried, isCanarying, isInDeployedSet, isLeaving, isReleasing } from "./states.ts";

export function deployedSet(incarnations: readonly Incarnation[]): readonly Incarnation[] {
  return incarnations.filter(({ state }) => isInDeployedSet(state));
}

/** Canaries first, then what releases or is released, then what leaves with traffic left. */
export function releasable(incarnations: readonly Incarnation[]): readonly Incarnation[] {
  return [
    ...incarnations.filter(({ state }) => isCanarying(state)),
    ...incarnations.filter(({ state }) => isReleasing(state)),
    ...incarnations.filter(
      ({ state, status }) => (isLeaving(state) || state === undefined) && status.currentPercent > 0,
    ),
  ];
}

export function alertable(incarnations: readonly Incarnation[]): readonly Incarnation[] {
  const withRevision = incarnations.filter(({ revision, state }) => revision && isAlertable(state));
  return [
    ...withRevision.filter(({ state }) => !isReleasing(state)),
    ...withRevision.filter(({ state }) => isReleasing(state)),
  ];
}

/** The one that may grow in this pass (§6.3), told before any of them changes its state. */
export function rampingTag(incarnations: readonly Incarnation[]): string | undefined {
  return releasable(incarnations).find(({ state }) => !isCanarying(state) && !isCanaried(state))?.tag;
}

/** Active: the deployed set, then what is deploying. The first is the one that speaks for the app (D-37). */
export function active(incarnations: readonly Incarnation[]): readonly Incarnation[] {
  return [...deployedSet(incarnations), ...incarnations.filter(({ state }) => state === "deploying")];
}
