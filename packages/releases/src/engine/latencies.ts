// How long each stretch of a release took: measured once per incarnation, when it is first seen in the state (§13).
import { type LatencySeconds, releaseKeys } from "@chaski/api";
import { timeMs } from "@chaski/kube";
import { type Incarnation, withStatus } from "./incarnation.ts";
import type { State } from "./states.ts";

type Name = keyof LatencySeconds;
type Since = (incarnation: Incarnation) => number | undefined;

/** Without a git time there is nothing to measure from (D-47). */
const git: Since = ({ gitMs }) => (gitMs > 0 ? gitMs : undefined);
const revision: Since = ({ status }) => timeMs(status.revisionTimestamp);
const deploying: Since = ({ status }) => timeMs(status.deployingStartTimestamp);
const canary: Since = ({ status }) => timeMs(status.canaryStartTimestamp);
const release: Since = ({ status }) => timeMs(status.releaseStartTimestamp);
const failure: Since = (incarnation) =>
  timeMs(incarnation.revision?.metadata.annotations?.[releaseKeys.annotations.failedAt]);

const canaried: readonly (readonly [Name, Since])[] = [
  ["gitCanarySecondsInt", git],
  ["revisionCanarySecondsInt", revision],
  ["canarySecondsInt", canary],
];

const measured: Partial<Record<State, readonly (readonly [Name, Since])[]>> = {
  created: [["gitCreateSecondsInt", git]],
  deployed: [
    ["gitDeploySecondsInt", git],
    ["revisionDeploySecondsInt", revision],
    ["deploySecondsInt", deploying],
  ],
  canaried,
  canarieddatadog: canaried,
  pendingrelease: [
    ["gitPendingReleaseSecondsInt", git],
    ["revisionPendingReleaseSecondsInt", revision],
  ],
  released: [
    ["gitReleaseSecondsInt", git],
    ["revisionReleaseSecondsInt", revision],
    ["releaseSecondsInt", release],
  ],
  failed: [["revisionRollbackSecondsInt", failure]],
};

export function measureLatencies(incarnation: Incarnation, nowMs: number): Incarnation {
  const { state, status } = incarnation;
  const missing = (state ? (measured[state] ?? []) : []).filter(([name]) => status.metrics?.[name] === undefined);
  const seconds = missing.flatMap(([name, since]) => {
    const sinceMs = since(incarnation);
    return sinceMs === undefined ? [] : [[name, Math.max(0, Math.floor((nowMs - sinceMs) / 1000))]];
  });
  return seconds.length === 0
    ? incarnation
    : withStatus(incarnation, { metrics: { ...status.metrics, ...Object.fromEntries(seconds) } });
}
