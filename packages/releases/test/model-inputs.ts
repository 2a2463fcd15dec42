// The inputs of the model check: what one pass may meet, as a small alphabet. Only clocks that can matter in the state
// at hand are offered; that the others don't is tried out on a sample of every run.
import type { Revision, RevisionTarget } from "@chaski/api";
import { formatTimestamp } from "@chaski/kube";
import { entryOf, type Memory } from "./model-memory.ts";
import { aRevision, NOW_MS } from "./worlds.ts";

const TESTS = ["disabled", "pending", "started", "succeeded", "failed"] as const;
type Test = (typeof TESTS)[number];

/** What a pass sees of one revision; every clock is over or not, whatever its length. */
export interface TagInputs {
  readonly revision: "absent" | "good" | "failed";
  readonly test: Test;
  readonly isEligible: boolean;
  readonly isExpired: boolean;
  readonly isReady: boolean;
  readonly isDelayOver: boolean;
  readonly isCanaryOver: boolean;
  readonly isOverdue: boolean;
  readonly isDrained: boolean;
}

/** What a pass sees besides: at most one of these at a time. */
export type Around =
  | "quiet"
  | "paused"
  | "evidence unknown"
  | "cluster unreachable"
  | "schedule closed"
  | `promote ${string}`;

export interface Inputs {
  readonly tags: Readonly<Record<string, TagInputs>>;
  readonly around: Around;
}

export const absent: TagInputs = {
  revision: "absent",
  test: "disabled",
  isEligible: true,
  isExpired: false,
  isReady: true,
  isDelayOver: true,
  isCanaryOver: true,
  isOverdue: false,
  isDrained: true,
};

/** As well as it can be, with time going by. */
export const good: TagInputs = { ...absent, revision: "good" };

/** The ways in which a revision may be released. */
export type Kind = "canary and test" | "datadog";

type Domain = { readonly [Name in keyof TagInputs]?: readonly TagInputs[Name][] };

const BOTH = [false, true] as const;
/** What the rules of a state can tell apart; elsewhere a test that has succeeded stays so. */
const TESTS_IN: Readonly<Record<string, readonly Test[]>> = {
  created: ["pending"],
  deploying: ["pending", "failed"],
  deployed: TESTS,
  pendingtest: ["pending", "started", "succeeded", "failed"],
  testing: TESTS,
  tested: ["pending", "started", "succeeded", "failed"],
  failing: ["succeeded", "failed"],
  failed: ["succeeded", "failed"],
};
const READS_SPEC = new Set(["deployed", "tested"]);
const LIMITED = new Set(["created", "deploying", "pendingtest", "testing"]);
const MAY_GROW = new Set([
  "deployed",
  "tested",
  "pendingrelease",
  "canarying",
  "canaryingdatadog",
  "releasing",
  "released",
]);
const READS_CANARY = new Set(["deployed", "tested", "canarying", "canaryingdatadog"]);

type Clock = "isReady" | "isOverdue" | "isDelayOver" | "isCanaryOver" | "isDrained";
const CLOCKS: readonly Clock[] = ["isReady", "isOverdue", "isDelayOver", "isCanaryOver", "isDrained"];

/** Every combination of what can matter for this tag. */
export function tagInputs(memory: Memory, tag: string, kind: Kind): readonly TagInputs[] {
  const clocks = Object.fromEntries(runningClocks(memory, tag).map((clock) => [clock, BOTH]));
  return [...product(clocks, absent), ...presentInputs(memory, tag, kind).flatMap((inputs) => product(clocks, inputs))];
}

/** What people may make of it, at rest: pods ready, time going by. */
export function presentInputs(memory: Memory, tag: string, kind: Kind): readonly TagInputs[] {
  const entry = entryOf(memory, tag);
  const state = entry?.state.current ?? "created";
  const domain: Domain = {
    revision: entry && state !== "created" ? ["good", "failed"] : ["good"],
    ...(kind === "datadog" ? {} : { test: TESTS_IN[state] ?? ["succeeded"] }),
    ...(READS_SPEC.has(state) ? { isEligible: BOTH, isExpired: BOTH } : {}),
  };
  return product(domain, absent).filter(({ isEligible, isExpired }) => !isEligible || !isExpired);
}

export function runningClocks(memory: Memory, tag: string): readonly Clock[] {
  const entry = entryOf(memory, tag);
  const state = entry?.state.current ?? "created";
  const isRunning: Readonly<Record<Clock, boolean>> = {
    isReady: (memory.live.replicaSets.get(tag)?.replicas ?? 0) > 0,
    isOverdue: entry !== undefined && LIMITED.has(state),
    isDelayOver: MAY_GROW.has(state),
    isCanaryOver: READS_CANARY.has(state) && entry?.canaryStartTimestamp !== undefined,
    isDrained: entry?.unrouted !== undefined,
  };
  return CLOCKS.filter((clock) => isRunning[clock]);
}

/** The same inputs, with every clock the other way round that does not run. */
export function withIdleClocksTurned(memory: Memory, tag: string, inputs: TagInputs): TagInputs {
  const running = runningClocks(memory, tag);
  const idle = CLOCKS.filter((clock) => !running.includes(clock));
  return { ...inputs, ...Object.fromEntries(idle.map((clock) => [clock, !inputs[clock]])) };
}

function product(domain: Domain, base: TagInputs): readonly TagInputs[] {
  return Object.entries(domain).reduce<readonly TagInputs[]>(
    (partial, [name, values]) => partial.flatMap((inputs) => values.map((value) => ({ ...inputs, [name]: value }))),
    [base],
  );
}

const BEFORE_CANARY = new Set(["deployed", "tested", "canarying", "canaryingdatadog"]);

export function arounds(memory: Memory): readonly Around[] {
  const entries = memory.status.revisions ?? [];
  const isIn = (states: ReadonlySet<string>) => entries.some(({ state }) => states.has(state.current));
  return [
    "quiet",
    ...(entries.length > 0 ? (["cluster unreachable"] as const) : []),
    ...(isIn(MAY_GROW) ? (["paused", "evidence unknown"] as const) : []),
    ...(isIn(PENDING) ? (["schedule closed"] as const) : []),
    ...entries
      .filter(
        ({ state, canaryStartTimestamp }) => BEFORE_CANARY.has(state.current) && canaryStartTimestamp === undefined,
      )
      .map(({ tag }): Around => `promote ${tag}`),
  ];
}

const PENDING = new Set(["pendingrelease"]);

export const LONG_AGO = formatTimestamp(NOW_MS - 24 * 3_600_000);
export const JUST_NOW = formatTimestamp(NOW_MS);

const SLO = { name: "up", enabled: true };
/** As large as a step, so that few percents occur: 0, 50 and 100. */
const CANARY = { canary: { percent: 50, ttl: 30 } };

const made = new Map<string, Revision>();

/** The same value for the same inputs, so that it is read once. */
export function revisionOf(tag: string, kind: Kind, inputs: TagInputs): Revision | undefined {
  if (inputs.revision === "absent") return undefined;
  const { revision, test, isEligible, isExpired } = inputs;
  const key = [tag, kind, revision, test, isEligible, isExpired].join(" ");
  const known = made.get(key) ?? makeRevision(tag, kind, inputs);
  made.set(key, known);
  return known;
}

function makeRevision(tag: string, kind: Kind, { revision, test, isEligible, isExpired }: TagInputs): Revision {
  const target: Partial<RevisionTarget> = {
    scale: { min: 1, max: 1, default: 1, targetCPUUtilizationPercentage: 70 },
    ...CANARY,
    ...(kind === "datadog"
      ? { datadogMonitoring: { enabled: true } }
      : { serviceLevelObjectives: [SLO], externalTest: externalTest(test) }),
    release: { eligible: isEligible, scalingStrategy: "linear", linearScaling: { increment: 50, delay: "10s" } },
  };
  const made = aRevision(tag, { target, spec: { failed: revision === "failed", tagRoutingHeader: "x-tag" } });
  return isExpired
    ? { ...made, metadata: { ...made.metadata, creationTimestamp: formatTimestamp(NOW_MS - 30 * 24 * 3_600_000) } }
    : made;
}

function externalTest(test: Test): NonNullable<RevisionTarget["externalTest"]> {
  const isOver = test === "succeeded" || test === "failed";
  return {
    enabled: test !== "disabled",
    started: isOver || test === "started",
    completed: isOver,
    succeeded: test === "succeeded",
  };
}
