// A fleet that takes what is decided: pods that come and go, clusters that vanish, informers that lag, writes that
// stop in the middle. What it holds to be true at every write are the rules of the design.
import { type IncarnationStatus, type ReleaseManager, releaseKeys, type Revision } from "@chaski/api";
import { formatTimestamp } from "@chaski/kube";
import {
  type ClusterPlan,
  type ClusterWorld,
  decideOutcome,
  decideRelease,
  defaultFlags,
  type Evidence,
  type Outcome,
  type ReleaseFlags,
  type ReleaseWorld,
} from "@chaski/releases";
import { decideAhead } from "@chaski/runtime/decision";
import { decidesAhead } from "../src/engine/decides-ahead.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { checkDecision, checkEntries, checkSame, checkWrite } from "./rules.ts";
import { aCluster, aReleaseManager, CALENDARS } from "./worlds.ts";

export interface ModelReplicaSet {
  readonly tag: string;
  replicas: number;
  ready: number;
}

/** What one cluster really has. */
export interface ModelState {
  readonly replicaSets: Map<string, ModelReplicaSet>;
  readonly bounds: Map<string, { readonly min: number; readonly max: number }>;
  weights: Readonly<Record<string, number>>;
  named: readonly string[];
  hasRoute: boolean;
  subsets: readonly string[];
  /** Changes with every write of the route: writes made on an older one are refused. */
  routeVersion: number;
  /** When each tag was last named by a route. */
  readonly lastNamedMs: Map<string, number>;
}

export interface ModelCluster {
  readonly name: string;
  readonly factor: string;
  readonly isStandby: boolean;
  readonly live: ModelState;
  /** What the informer shows. */
  view: ModelState;
  isUp: boolean;
  isLagging: boolean;
  /** Pods that don't become ready, by tag. */
  readonly broken: Set<string>;
}

export interface ModelOptions {
  readonly clusters: readonly { readonly factor: string; readonly isStandby: boolean }[];
  readonly flags?: Partial<ReleaseFlags>;
  readonly startMs: number;
  /** Whether a pass saves what follows from its decision at once, as the controller does; else one step at a time. */
  readonly isAhead?: boolean;
}

export interface PassOptions {
  /** Whether the status is saved: a conflict stops everything that follows. */
  readonly isSaved?: boolean;
  /** How many of its writes a cluster gets. */
  readonly writes?: (cluster: ModelCluster) => number;
}

const everything = (): number => Infinity;

/** So often the same world is decided twice: the answers must be the same. */
const TWICE_EVERY = 7;

export class ModelFleet {
  nowMs: number;
  readonly revisions = new Map<string, Revision>();
  readonly clusters: readonly ModelCluster[];
  releaseManager: ReleaseManager;
  evidence: Record<string, readonly Evidence[]> = {};
  readonly flags: ReleaseFlags;
  readonly isAhead: boolean;
  last: Outcome | undefined;
  decisions = 0;
  isGone = false;

  constructor({ clusters, flags, startMs, isAhead = false }: ModelOptions) {
    this.nowMs = startMs;
    this.isAhead = isAhead;
    this.flags = { ...defaultFlags, ...flags };
    this.releaseManager = aReleaseManager([], { creationTimestamp: formatTimestamp(startMs) });
    this.clusters = clusters.map(({ factor, isStandby }, index) => {
      const live = emptyState();
      return {
        name: `c${index}`,
        factor,
        isStandby,
        live,
        view: copyOf(live),
        isUp: true,
        isLagging: false,
        broken: new Set(),
      };
    });
  }

  /** The same fleet, to try something on. */
  copy(): ModelFleet {
    const clusters = this.clusters.map(({ factor, isStandby }) => ({ factor, isStandby }));
    const twin = new ModelFleet({ clusters, flags: this.flags, startMs: this.nowMs, isAhead: this.isAhead });
    for (const [tag, revision] of this.revisions) twin.revisions.set(tag, revision);
    Object.assign(twin, { releaseManager: this.releaseManager, evidence: this.evidence });
    twin.clusters.forEach((cluster, index) => {
      const from = this.clusters[index];
      if (!from) return;
      const { isUp, isLagging } = from;
      Object.assign(cluster, { live: copyOf(from.live), view: copyOf(from.view), isUp, isLagging });
      for (const tag of from.broken) cluster.broken.add(tag);
    });
    return twin;
  }

  world(): ReleaseWorld {
    return deepFreeze({
      nowMs: this.nowMs,
      releaseManager: this.releaseManager,
      revisions: [...this.revisions.values()],
      clusters: this.clusters.map((cluster) => worldOf(cluster, this.nowMs)),
      faults: [],
      configs: [],
      evidence: this.evidence,
      namesakes: [],
      flags: this.flags,
      calendars: CALENDARS,
    });
  }

  /** One pass: decide, save, and write to each cluster as much as gets through. */
  pass({ isSaved = true, writes = everything }: PassOptions = {}): Outcome {
    this.refreshViews();
    const world = this.world();
    const decide = (releaseManager: ReleaseManager): Outcome => this.decide(deepFreeze({ ...world, releaseManager }));
    const outcome = this.isAhead
      ? decideAhead(this.releaseManager, { decide, mayFollow: decidesAhead })
      : decide(this.releaseManager);
    this.last = outcome;
    if (isSaved) this.apply(outcome, writes);
    return outcome;
  }

  private decide(world: ReleaseWorld): Outcome {
    const outcome = decideOutcome(world);
    this.decisions++;
    checkDecision(world, outcome);
    if (this.decisions % TWICE_EVERY === 0) this.checkAgain(world, outcome);
    return outcome;
  }

  private checkAgain(world: ReleaseWorld, outcome: Outcome): void {
    checkSame(outcome, decideOutcome(world));
    checkEntries(world, decideRelease(world));
  }

  private apply(outcome: Outcome, writes: (cluster: ModelCluster) => number): void {
    this.releaseManager = { ...this.releaseManager, status: { ...outcome.status, gates: [...outcome.gates] } };
    this.isGone ||= outcome.entries["local"]?.some(({ verb }) => verb === "remove") ?? false;
    for (const cluster of this.clusters) {
      const plan = outcome.plan?.clusters.find((candidate) => candidate.cluster === cluster.name);
      if (plan && cluster.isUp) this.write(cluster, plan, writes(cluster));
    }
  }

  private write(cluster: ModelCluster, plan: ClusterPlan, count: number): void {
    const isFresh = cluster.view.routeVersion === cluster.live.routeVersion;
    for (const write of writesOf(plan, isFresh).slice(0, count)) {
      checkWrite(cluster, plan, write, { nowMs: this.nowMs, drainMs: this.flags.drainMs });
      perform(cluster.live, write, this.nowMs);
    }
  }

  /** An informer may lag, but a reconcile never acts on a cache older than its own last write. */
  refreshViews(): void {
    for (const cluster of this.clusters) {
      if (!cluster.isUp) continue;
      const seen = copyOf(cluster.live);
      if (cluster.isLagging) {
        for (const replicaSet of seen.replicaSets.values())
          replicaSet.ready = cluster.view.replicaSets.get(replicaSet.tag)?.ready ?? 0;
      }
      cluster.view = seen;
    }
  }

  /** Autoscalers move into their bounds, pods become ready. */
  settle(): void {
    for (const { live, isUp, broken } of this.clusters) {
      if (!isUp) continue;
      for (const replicaSet of live.replicaSets.values()) {
        const bounds = live.bounds.get(replicaSet.tag);
        if (bounds && replicaSet.replicas > 0)
          replicaSet.replicas = Math.min(bounds.max, Math.max(bounds.min, replicaSet.replicas));
        replicaSet.ready = broken.has(replicaSet.tag) ? 0 : replicaSet.replicas;
      }
    }
  }

  settleFor(ms: number): void {
    this.settle();
    this.advance(ms);
  }

  loseStatus(): void {
    this.releaseManager = { ...this.releaseManager, status: { lastUpdated: null } };
  }

  advance(ms: number): void {
    this.nowMs += ms;
    for (const { live } of this.clusters) for (const tag of live.named) live.lastNamedMs.set(tag, this.nowMs);
  }

  entry(tag: string): IncarnationStatus | undefined {
    return this.releaseManager.status?.revisions?.find((entry) => entry.tag === tag);
  }

  state(tag: string): string | undefined {
    return this.entry(tag)?.state.current;
  }

  percent(tag: string): number {
    return this.entry(tag)?.currentPercent ?? 0;
  }

  annotate(annotations: Readonly<Record<string, string>>): void {
    const { metadata } = this.releaseManager;
    this.releaseManager = { ...this.releaseManager, metadata: { ...metadata, annotations } };
  }

  /** Passes, each with everything settling and time going on, until the condition holds. */
  runUntil(condition: () => boolean, { passes = 400, stepMs = 5000 } = {}): boolean {
    for (let count = 0; count < passes; count++) {
      if (condition()) return true;
      this.pass();
      this.settle();
      this.advance(stepMs);
    }
    return condition();
  }
}

export type Write =
  | { readonly type: "subsets"; readonly subsets: readonly string[] }
  | { readonly type: "route"; readonly weights: Readonly<Record<string, number>>; readonly named: readonly string[] }
  | { readonly type: "create"; readonly tag: string; readonly replicas: number }
  | { readonly type: "scale"; readonly tag: string; readonly replicas: number }
  | {
      readonly type: "bounds";
      readonly tag: string;
      readonly bounds: { readonly min: number; readonly max: number } | undefined;
    }
  | { readonly type: "delete"; readonly tag: string };

/** In the order in which the entries are applied: a route comes after its subsets. */
export function writesOf(plan: ClusterPlan, isFresh: boolean): readonly Write[] {
  const { route } = plan;
  const routeWrites: Write[] = [];
  if (route && isFresh) {
    const weights = Object.fromEntries(route.weights.map(({ tag, percent }) => [tag, percent]));
    const named = [...new Set([...Object.keys(weights), ...route.tagged.map(({ tag }) => tag)])].toSorted();
    routeWrites.push({ type: "subsets", subsets: route.subsets.map(({ tag }) => tag) });
    if (named.length > 0) routeWrites.push({ type: "route", weights, named });
  }
  return [
    ...plan.revisions.flatMap(({ tag, initialReplicas, scaleTo, bounds }): Write[] => [
      { type: "create", tag, replicas: initialReplicas },
      { type: "bounds", tag, bounds },
      ...(scaleTo === undefined ? [] : [{ type: "scale" as const, tag, replicas: scaleTo }]),
    ]),
    ...routeWrites,
    ...plan.endings.flatMap(({ tag, ending, scaleTo }): Write[] => {
      if (ending === "delete") return [{ type: "delete", tag }];
      return scaleTo === undefined ? [] : [{ type: "scale", tag, replicas: scaleTo }];
    }),
  ];
}

export function perform(live: ModelState, write: Write, nowMs: number): void {
  switch (write.type) {
    case "subsets":
      live.subsets = write.subsets;
      return;
    case "route":
      route(live, write, nowMs);
      return;
    case "create":
      create(live, write.tag, write.replicas);
      return;
    case "scale":
      scale(live.replicaSets.get(write.tag), write.replicas);
      return;
    case "bounds":
      bound(live, write.tag, write.bounds);
      return;
    case "delete":
      live.replicaSets.delete(write.tag);
      live.bounds.delete(write.tag);
  }
}

function route(live: ModelState, { weights, named }: Extract<Write, { type: "route" }>, nowMs: number): void {
  for (const tag of live.named) live.lastNamedMs.set(tag, nowMs);
  if (JSON.stringify([live.weights, live.named]) !== JSON.stringify([weights, named])) live.routeVersion++;
  Object.assign(live, { weights, named, hasRoute: true });
}

function create({ replicaSets }: ModelState, tag: string, replicas: number): void {
  if (!replicaSets.has(tag)) replicaSets.set(tag, { tag, replicas, ready: 0 });
}

function bound(
  { bounds }: ModelState,
  tag: string,
  given: { readonly min: number; readonly max: number } | undefined,
): void {
  if (given) bounds.set(tag, given);
  else bounds.delete(tag);
}

function scale(replicaSet: ModelReplicaSet | undefined, replicas: number): void {
  if (replicaSet) Object.assign(replicaSet, { replicas, ready: Math.min(replicaSet.ready, replicas) });
}

export function emptyState(): ModelState {
  return {
    replicaSets: new Map(),
    bounds: new Map(),
    weights: {},
    named: [],
    hasRoute: false,
    subsets: [],
    routeVersion: 0,
    lastNamedMs: new Map(),
  };
}

export function copyOf(state: ModelState): ModelState {
  return {
    ...state,
    replicaSets: new Map([...state.replicaSets].map(([tag, replicaSet]) => [tag, { ...replicaSet }])),
    bounds: new Map(state.bounds),
    lastNamedMs: new Map(state.lastNamedMs),
  };
}

function worldOf({ name, factor, isStandby, view, isUp }: ModelCluster, nowMs: number): ClusterWorld {
  const world = aCluster(name, {
    pods: Object.fromEntries(
      [...view.replicaSets.values()].map(({ tag, replicas, ready }) => [tag, [replicas, ready] as const]),
    ),
    spec: { scalingFactorString: factor, hotStandby: isStandby },
    contact: isUp
      ? { state: "observed" }
      : { state: "unreachable", lastHeardMs: nowMs - 60_000, cause: "connection refused" },
    owned: [...view.replicaSets.values()].map(({ tag }) => ({
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: { name: tag, namespace: "shop-production", labels: { [releaseKeys.labels.tag]: tag } },
    })),
  });
  return view.hasRoute
    ? { ...world, route: { weights: view.weights, named: view.named }, subsets: view.subsets }
    : world;
}
