// One pass of the model check: the real decision on a small world, its rules, and what it leaves behind.
import type { IncarnationStatus, ReleaseManagerStatus } from "@chaski/api";
import { releaseKeys } from "@chaski/api";
import {
  type Calendar,
  type ClusterWorld,
  decideOutcome,
  defaultFlags,
  type Outcome,
  type ReleaseWorld,
} from "@chaski/releases";
import { copyOf, type ModelCluster, type ModelState, perform, writesOf } from "./model-fleet.ts";
import { absent, type Inputs, JUST_NOW, type Kind, LONG_AGO, revisionOf, type TagInputs } from "./model-inputs.ts";
import { type Memory, nothing } from "./model-memory.ts";
import { checkDecision, checkWrite } from "./rules.ts";
import { aCluster, aReleaseManager, aReplicaSet, NAMESPACE, NOW_MS } from "./worlds.ts";

export interface Passed {
  readonly memory: Memory;
  readonly outcome: Outcome;
}

export type Kinds = Readonly<Record<string, Kind>>;

export function pass(memory: Memory, inputs: Inputs, kinds: Kinds): Passed {
  const world = worldOf(memory, inputs, kinds);
  const outcome = decideOutcome(world);
  checkDecision(world, outcome);
  if (outcome.entries["local"]?.some(({ verb }) => verb === "remove")) return { memory: nothing(), outcome };
  const isWritten = inputs.around !== "cluster unreachable";
  const live = isWritten ? written(memory, inputs, outcome) : memory.live;
  return { memory: { status: slim(outcome.status), live }, outcome };
}

/** What is only ever written is forgotten; what is measured once counts as measured. */
function slim({ revisions = [], orphanedSince, rollback }: ReleaseManagerStatus): ReleaseManagerStatus {
  const status = { lastUpdated: null, revisions: revisions.map((entry) => ({ ...entry, metrics: MEASURED })) };
  return { ...status, ...(orphanedSince ? { orphanedSince } : {}), ...(rollback ? { rollback } : {}) };
}

const MEASURED = Object.fromEntries(
  ["gitCreate", "gitDeploy", "gitCanary", "gitPendingRelease", "gitRelease", "revisionDeploy", "revisionCanary"]
    .concat(["revisionRelease", "revisionPendingRelease", "revisionRollback", "deploy", "canary", "release"])
    .map((name) => [`${name}SecondsInt`, 1]),
);

function written({ live: before }: Memory, { tags }: Inputs, { plan }: Outcome): ModelState {
  const [clusterPlan] = plan?.clusters ?? [];
  if (!clusterPlan) return before;
  const live = copyOf(before);
  // The drain of a tag is over when its input says so; without any route nothing drains.
  for (const tag of Object.keys(tags)) {
    if (before.hasRoute && !tags[tag]?.isDrained) live.lastNamedMs.set(tag, NOW_MS);
    else live.lastNamedMs.delete(tag);
  }
  const cluster: ModelCluster = { ...CLUSTER, live, view: live };
  for (const write of writesOf(clusterPlan, true)) {
    checkWrite(cluster, clusterPlan, write, { nowMs: NOW_MS, drainMs: defaultFlags.drainMs });
    perform(live, write, NOW_MS);
  }
  return live;
}

const CLUSTER: Omit<ModelCluster, "live" | "view"> = {
  name: "c0",
  factor: "1.0",
  isStandby: false,
  isUp: true,
  isLagging: false,
  broken: new Set(),
};

const OPEN: readonly Calendar[] = [{}];
const CLOSED: readonly Calendar[] = [{ freezes: [{ start: "2000-01-01T00:00:00Z", end: "2100-01-01T00:00:00Z" }] }];
const UNKNOWN = [{ judge: "prometheus", verdict: "unknown" }] as const;

export function worldOf(memory: Memory, { tags, around }: Inputs, kinds: Kinds): ReleaseWorld {
  const names = Object.keys(tags);
  return {
    nowMs: NOW_MS,
    releaseManager: { ...aReleaseManager([], { annotations: annotationsOf(around) }), status: statusOf(memory, tags) },
    revisions: names.flatMap((tag) => {
      const revision = revisionOf(tag, kinds[tag] ?? "datadog", tags[tag] ?? absent);
      return revision ? [revision] : [];
    }),
    clusters: [clusterOf(memory.live, tags, around)],
    faults: [],
    configs: [],
    evidence: around === "evidence unknown" ? Object.fromEntries(names.map((tag) => [tag, UNKNOWN])) : {},
    namesakes: [],
    flags: defaultFlags,
    calendars: around === "schedule closed" ? CLOSED : OPEN,
  };
}

function annotationsOf(around: Inputs["around"]): Readonly<Record<string, string>> {
  if (around === "paused") return { [releaseKeys.annotations.paused]: "lunch" };
  return around.startsWith("promote ") ? { [releaseKeys.annotations.promote]: around.slice("promote ".length) } : {};
}

function statusOf({ status }: Memory, tags: Inputs["tags"]): ReleaseManagerStatus {
  return { ...status, revisions: (status.revisions ?? []).map((entry) => dated(entry, tags[entry.tag] ?? absent)) };
}

const since = (isOver: boolean): string => (isOver ? LONG_AGO : JUST_NOW);

/** Each clock as its input says. */
function dated(entry: IncarnationStatus, inputs: TagInputs): IncarnationStatus {
  const { unrouted, canaryStartTimestamp } = entry;
  return {
    ...entry,
    lastUpdated: since(inputs.isDelayOver),
    state: { ...entry.state, lastUpdated: since(inputs.isOverdue) },
    ...(canaryStartTimestamp === undefined ? {} : { canaryStartTimestamp: since(inputs.isCanaryOver) }),
    ...(unrouted ? { unrouted: unrouted.map(({ cluster }) => ({ cluster, since: since(inputs.isDrained) })) } : {}),
  };
}

const EMPTY = aCluster("c0");
const UNREACHABLE = { state: "unreachable", lastHeardMs: NOW_MS - 60_000, cause: "connection refused" } as const;

function clusterOf(live: ModelState, tags: Inputs["tags"], around: Inputs["around"]): ClusterWorld {
  const sets = [...live.replicaSets.values()];
  return {
    ...EMPTY,
    contact: around === "cluster unreachable" ? UNREACHABLE : { state: "observed" },
    replicaSets: sets.map(({ tag, replicas }) => aReplicaSet(tag, [replicas, tags[tag]?.isReady ? replicas : 0])),
    owned: sets.map(({ tag }) => ({
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: { name: tag, namespace: NAMESPACE, labels: { [releaseKeys.labels.tag]: tag } },
    })),
    ...(live.hasRoute ? { route: { weights: live.weights, named: live.named }, subsets: live.subsets } : {}),
  };
}
