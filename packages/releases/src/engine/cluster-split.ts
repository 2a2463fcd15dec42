// The split of one cluster: the decided one where its own pods can carry it, else the live one (rules 1, 2, 9).
import { estimateFromOthers, loadOfOthers, neededPods } from "./capacity.ts";
import { factorFor, factorsFor, type FleetCluster } from "./fleet.ts";
import { type Incarnation, percentOf } from "./incarnation.ts";
import { sum } from "./numbers.ts";
import { once } from "./once.ts";
import { perClusterFor } from "./replicas.ts";
import type { Rollback } from "./rollback.ts";
import type { Sizing } from "./sizing.ts";
import { isLeaving } from "./states.ts";

export type Weights = Readonly<Record<string, number>>;

export interface Split {
  /** Sums to 100, or is empty where nothing has traffic yet. */
  readonly weights: Weights;
  /** Who waits for pods here before the decided split is taken. */
  readonly waiting: readonly Shortage[];
}

export interface Shortage {
  readonly tag: string;
  readonly ready: number;
  readonly needed: number;
}

export interface Splitting {
  readonly incarnations: readonly Incarnation[];
  readonly rollback: Rollback | undefined;
  readonly sizing: Sizing;
  /** Pods that this cluster is asked to run of a tag. */
  readonly requestedOn: (cluster: FleetCluster, incarnation: Incarnation) => number;
}

/** Undefined: nothing can be written that would be right, and what is live stays. */
export function splitOn(cluster: FleetCluster, splitting: Splitting): Split | undefined {
  const live = liveWeights(cluster);
  const isLiveWhole = sum(Object.values(live)) === 100;
  const decided = decidedWeights(splitting.incarnations);
  if (sum(Object.values(decided)) !== 100)
    return isLiveWhole || isEmpty(live) ? { weights: live, waiting: [] } : undefined;
  const wanted = isLiveWhole ? sparing(live, decided, splitting) : decided;
  const waiting = shortages(cluster, live, wanted, splitting);
  if (waiting.length === 0) return { weights: wanted, waiting };
  const partial = partialTakeover(cluster, live, wanted, splitting);
  if (partial) return { weights: partial, waiting };
  return isLiveWhole || isEmpty(live) ? { weights: live, waiting } : undefined;
}

export function liveWeights({ world }: FleetCluster): Weights {
  return Object.fromEntries(Object.entries(world.route?.weights ?? {}).filter(([, weight]) => weight > 0));
}

function decidedWeights(incarnations: readonly Incarnation[]): Weights {
  return Object.fromEntries(
    incarnations
      .filter((incarnation) => percentOf(incarnation) > 0)
      .map((incarnation) => [incarnation.tag, percentOf(incarnation)]),
  );
}

function isEmpty(weights: Weights): boolean {
  return Object.keys(weights).length === 0;
}

/**
 * The decided split, with what leaves raised nowhere. What it may not have here stays with those that have it here:
 * first with others that leave, then with those that stay. A cluster that is ahead so gives nothing back.
 */
function sparing(live: Weights, decided: Weights, { incarnations }: Splitting): Weights {
  const leaving = incarnations.filter(({ state }) => isLeaving(state)).map(({ tag }) => tag);
  const weights: Record<string, number> = { ...decided };
  for (const tag of leaving) weights[tag] = Math.min(decided[tag] ?? 0, live[tag] ?? 0);
  let left = 100 - sum(Object.values(weights));
  for (const tag of new Set([...leaving, ...Object.keys(live)])) {
    const kept = Math.min(left, Math.max(0, (live[tag] ?? 0) - (weights[tag] ?? 0)));
    weights[tag] = (weights[tag] ?? 0) + kept;
    left -= kept;
  }
  return Object.fromEntries(Object.entries(weights).filter(([, weight]) => weight > 0));
}

/** Tags that would grow here although their pods can't carry it while another's still do. */
function shortages(cluster: FleetCluster, live: Weights, decided: Weights, splitting: Splitting): readonly Shortage[] {
  const serving = Object.keys({ ...live, ...decided }).filter((tag) => availableOn(cluster, tag, splitting) > 0);
  return splitting.incarnations
    .filter(({ tag }) => (decided[tag] ?? 0) > (live[tag] ?? 0))
    .filter(({ tag }) => serving.some((other) => other !== tag))
    .map((incarnation) => carrying(cluster, incarnation, decided[incarnation.tag] ?? 0, splitting))
    .filter(({ ready, needed }) => ready < needed);
}

function availableOn({ name }: FleetCluster, tag: string, { incarnations }: Splitting): number {
  return incarnations.find((incarnation) => incarnation.tag === tag)?.pods.byCluster[name]?.available ?? 0;
}

/** With at least one ready pod, and with as many as this share needs here or as were asked for here. */
function carrying(cluster: FleetCluster, incarnation: Incarnation, percent: number, splitting: Splitting): Shortage {
  const { tag } = incarnation;
  const requested = splitting.requestedOn(cluster, incarnation);
  const needed = Math.max(1, Math.min(neededOn(cluster, incarnation, percent, splitting), requested));
  return { tag, ready: availableOn(cluster, tag, splitting), needed };
}

function neededOn(cluster: FleetCluster, incarnation: Incarnation, percent: number, splitting: Splitting): number {
  const { tag, revision } = incarnation;
  const perCluster = once(splitting, `${tag} at ${percent}`, () => neededPerCluster(incarnation, percent, splitting));
  return Math.ceil(perCluster * factorFor(cluster, revision));
}

function neededPerCluster(incarnation: Incarnation, percent: number, { sizing, rollback }: Splitting): number {
  const { settings, status, revision, tag } = incarnation;
  if (!settings) return 0;
  const factors = factorsFor(sizing.fleet.live, revision);
  const isTaker = rollback?.taker?.tag === tag;
  const others = estimateFromOthers(settings.scale, loadOfOthers(sizing.saved, tag));
  const base = (isTaker ? status.rollbackBase : others) ?? settings.scale.min ?? 1;
  return perClusterFor(neededPods(settings.scale, base, percent, factors), factors);
}

/** In a roll-back the taker gets here what its pods here carry; those that fail keep the rest. */
function partialTakeover(
  cluster: FleetCluster,
  live: Weights,
  decided: Weights,
  splitting: Splitting,
): Weights | undefined {
  const { rollback } = splitting;
  const taker = splitting.incarnations.find(({ tag }) => tag === rollback?.taker?.tag);
  if (!taker || !rollback || sum(Object.values(live)) !== 100 || availableOn(cluster, taker.tag, splitting) === 0)
    return undefined;
  const failing = rollback.failing.map(({ tag }) => tag).filter((tag) => (live[tag] ?? 0) > 0);
  const from = live[taker.tag] ?? 0;
  const most = Math.min(decided[taker.tag] ?? 0, from + sum(failing.map((tag) => live[tag] ?? 0)));
  for (let percent = most; percent > from; percent--) {
    const { ready, needed } = carrying(cluster, taker, percent, splitting);
    if (ready >= needed) return shifted(live, taker.tag, failing, percent - from);
  }
  return undefined;
}

function shifted(live: Weights, to: string, from: readonly string[], points: number): Weights {
  const weights: Record<string, number> = { ...live, [to]: (live[to] ?? 0) + points };
  let left = points;
  for (const tag of from) {
    const given = Math.min(left, weights[tag] ?? 0);
    weights[tag] = (weights[tag] ?? 0) - given;
    left -= given;
  }
  return Object.fromEntries(Object.entries(weights).filter(([, weight]) => weight > 0));
}
