// The state machine (§5.5, §17.1): rules are tried in order, the first that applies decides.
import type { TestStatus } from "./settings.ts";
import type { State } from "./states.ts";

/** What a rule may look at: one incarnation's facts in this pass. */
export interface Facts {
  readonly hasRevision: boolean;
  /** `spec.failed`. */
  readonly isMarkedFailed: boolean;
  readonly test: TestStatus | "unknown";
  readonly isTestTimingOut: boolean;
  /** Whether the external test's own timeout counts instead of the state's limit (D-60). */
  readonly hasTestTimeout: boolean;
  readonly isDeployed: boolean;
  readonly isEligible: boolean;
  readonly isCanaryPending: boolean;
  readonly isDatadog: boolean;
  /** Older than its time to live. */
  readonly isExpired: boolean;
  readonly isScheduled: boolean;
  readonly isPaused: boolean;
  readonly hasTraffic: boolean;
  readonly isFullyReleased: boolean;
  /** No route of a reachable cluster has named it for the time of the drain. */
  readonly isDrained: boolean;
  /** Nothing of it is left on any cluster. */
  readonly isGone: boolean;
  /** A roll-back needs it (§6.10). */
  readonly isTaker: boolean;
  /** In its state for longer than the state's limit. */
  readonly isOverdue: boolean;
}

export interface Rule {
  readonly when: (facts: Facts) => boolean;
  readonly to: State;
  readonly because: string;
}

const hasFailed = ({ isMarkedFailed, test }: Facts): boolean => isMarkedFailed || test === "failed";
const isTestEnabled = ({ test }: Facts): boolean => test !== "disabled" && test !== "unknown";

function when(condition: (facts: Facts) => boolean): { goTo: (to: State, because: string) => Rule } {
  return { goTo: (to, because) => ({ when: condition, to, because }) };
}

const noRevision = when((facts) => !facts.hasRevision).goTo("deleting", "its Revision is gone");
const failed = when(hasFailed).goTo("failing", "its Revision has failed");
const markedFailed = when((facts) => facts.isMarkedFailed).goTo("failing", "its Revision is marked failed");
const overdue = when((facts) => facts.isOverdue).goTo("timingout", "it has been in this state for too long");
const testTimingOut = when((facts) => facts.isTestTimingOut).goTo("timingout", "its external test takes too long");
const testOverdue = when((facts) => facts.isOverdue && !facts.hasTestTimeout).goTo(
  "timingout",
  "its external test takes too long",
);
const testSucceeded = when((facts) => facts.test === "succeeded").goTo("tested", "its external test succeeded");
const testStarted = when((facts) => facts.test === "started").goTo("testing", "its external test started");
const testPending = when((facts) => facts.test === "pending").goTo("pendingtest", "its external test is pending");
const ineligible = when((facts) => !facts.isEligible).goTo("retiring", "it is no longer eligible for a release");
const expired = when((facts) => facts.isExpired).goTo("retiring", "it is not eligible and older than its time to live");
const takesOver = when((facts) => facts.isTaker).goTo("releasing", "it takes over from a revision that fails");
const wantedAgain = when((facts) => facts.isEligible).goTo("deploying", "it is eligible again");
const revisionBack = when((facts) => facts.hasRevision).goTo("deploying", "its Revision is there again");
const lifted = when((facts) => !hasFailed(facts)).goTo("deploying", "its Revision has not failed after all");

const towardTraffic: readonly Rule[] = [
  when((facts) => facts.isEligible && facts.isCanaryPending && facts.isDatadog).goTo(
    "canaryingdatadog",
    "its canary begins, judged by Datadog",
  ),
  when((facts) => facts.isEligible && facts.isCanaryPending).goTo("canarying", "its canary begins"),
  when((facts) => facts.isEligible).goTo("pendingrelease", "it is eligible for a release"),
];

function stay(state: State, because: string, condition: (facts: Facts) => boolean): Rule {
  return { when: condition, to: state, because };
}

const stillHasTraffic = (state: State): Rule => stay(state, "it still has traffic", (facts) => facts.hasTraffic);
const stillDrains = (state: State): Rule => stay(state, "its last requests drain", (facts) => !facts.isDrained);

export interface StateRow {
  readonly rules: readonly Rule[];
  /** How long an incarnation may stay; configurable (D-80). */
  readonly limitMs?: number;
}

const MINUTE_MS = 60_000;
const LIMIT_MS = 15 * MINUTE_MS;

export const stateTable: Readonly<Record<State, StateRow>> = {
  created: {
    limitMs: 60 * MINUTE_MS,
    rules: [noRevision, overdue, when(() => true).goTo("deploying", "it is new")],
  },
  deploying: {
    limitMs: LIMIT_MS,
    rules: [
      noRevision,
      failed,
      takesOver,
      when((facts) => facts.isDeployed).goTo("deployed", "its pods are ready on every live cluster"),
      overdue,
    ],
  },
  deployed: {
    rules: [
      noRevision,
      failed,
      takesOver,
      when((facts) => !facts.isDeployed).goTo("deploying", "its pods are no longer ready everywhere"),
      testSucceeded,
      testStarted,
      testPending,
      ...towardTraffic,
      expired,
    ],
  },
  pendingtest: {
    limitMs: LIMIT_MS,
    rules: [noRevision, failed, testSucceeded, testTimingOut, testStarted, testOverdue],
  },
  testing: {
    limitMs: LIMIT_MS,
    rules: [
      noRevision,
      when((facts) => facts.test === "failed").goTo("failing", "its external test failed"),
      testSucceeded,
      testTimingOut,
      testPending,
      when((facts) => !isTestEnabled(facts)).goTo("deploying", "its external test was switched off"),
      testOverdue,
    ],
  },
  // What is eligible leaves at once, and what is not may wait until it expires: no limit (D-60).
  tested: {
    rules: [
      noRevision,
      failed,
      testPending,
      when(({ test }) => test !== "succeeded").goTo("testing", "its external test is not finished after all"),
      ...towardTraffic,
      expired,
    ],
  },
  canarying: {
    rules: [noRevision, markedFailed, when((facts) => !facts.isCanaryPending).goTo("canaried", "its canary is over")],
  },
  canaried: {
    rules: [noRevision, markedFailed, when((facts) => facts.isEligible).goTo("pendingrelease", "its canary was good")],
  },
  canaryingdatadog: {
    rules: [
      noRevision,
      markedFailed,
      when((facts) => !facts.isCanaryPending).goTo("canarieddatadog", "its canary is over"),
    ],
  },
  canarieddatadog: {
    rules: [noRevision, markedFailed, when((facts) => facts.isEligible).goTo("pendingrelease", "its canary was good")],
  },
  pendingrelease: {
    rules: [
      noRevision,
      markedFailed,
      ineligible,
      takesOver,
      when((facts) => facts.isScheduled && !facts.isPaused).goTo("releasing", "its schedule permits the release"),
    ],
  },
  releasing: {
    rules: [
      noRevision,
      markedFailed,
      ineligible,
      when((facts) => facts.isFullyReleased).goTo("released", "it has all the traffic that it may have"),
    ],
  },
  released: { rules: [noRevision, markedFailed, ineligible] },
  retiring: {
    rules: [
      { ...takesOver, when: (facts) => facts.isTaker && facts.hasRevision && !facts.isMarkedFailed },
      stillHasTraffic("retiring"),
      noRevision,
      markedFailed,
      wantedAgain,
      stillDrains("retiring"),
      when(() => true).goTo("retired", "it has no traffic any more"),
    ],
  },
  retired: { rules: [noRevision, markedFailed, takesOver, wantedAgain] },
  deleting: {
    rules: [
      stillHasTraffic("deleting"),
      revisionBack,
      stillDrains("deleting"),
      when((facts) => facts.isGone).goTo("deleted", "nothing of it is left"),
    ],
  },
  deleted: { rules: [revisionBack] },
  failing: {
    rules: [
      stillHasTraffic("failing"),
      noRevision,
      lifted,
      stillDrains("failing"),
      when(() => true).goTo("failed", "it has no traffic any more"),
    ],
  },
  failed: { rules: [noRevision, lifted] },
  timingout: { rules: [noRevision, failed] },
};

export interface Step {
  readonly to: State;
  /** Undefined where no rule applied: the incarnation stays and waits. */
  readonly because?: string;
}

export function step(state: State, facts: Facts): Step {
  const rule = stateTable[state].rules.find((candidate) => candidate.when(facts));
  return rule ? { to: rule.to, because: rule.because } : { to: state };
}

export function limitOf(state: State, configured: Readonly<Record<string, number>>): number | undefined {
  return configured[state] ?? stateTable[state].limitMs;
}
