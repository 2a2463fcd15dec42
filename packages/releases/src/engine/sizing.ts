// How many pods an incarnation gets on one cluster, and between which bounds its autoscaler moves (§6.5, §6.7, §6.9).
import { releaseKeys } from "@chaski/api";
import { estimateFromOthers, type Load, loadOfOthers, neededFor } from "./capacity.ts";
import { type Drain, isDrainedOn } from "./draining.ts";
import { factorFor, factorsFor, type Fleet, type FleetCluster } from "./fleet.ts";
import { type Incarnation, percentOf } from "./incarnation.ts";
import { once } from "./once.ts";
import { divide, perClusterFor } from "./replicas.ts";
import { takeoverReplicas } from "./rollback.ts";
import type { ScaleSettings, TargetSettings } from "./settings.ts";
import { isCanarying, isParked } from "./states.ts";
import { nextIncrement } from "./strategy.ts";
import type { IncarnationStatus } from "@chaski/api";
import type { RampMode, ReleaseFlags } from "./world.ts";

/** All that sizes depend on and that is the same for every cluster. */
export interface Sizing {
  readonly fleet: Fleet;
  readonly flags: ReleaseFlags;
  readonly target: string;
  readonly drain: Drain;
  readonly saved: readonly IncarnationStatus[];
  readonly rampingTag: string | undefined;
  readonly takerTag: string | undefined;
}

export interface Size {
  /** When the ReplicaSet is created. */
  readonly initialReplicas: number;
  /** Undefined: what is live stays. */
  readonly scaleTo?: number;
  /** Undefined: no autoscaler on this cluster. */
  readonly bounds?: { readonly min: number; readonly max: number };
}

type Sized = Incarnation & { readonly settings: TargetSettings };

/** Ramps by its ReplicaSet instead of an autoscaler: asked in one place only (D-28). */
export function isReplicaDriven({ state, settings, revision }: Incarnation, target: string, mode: RampMode): boolean {
  const wanted = revision?.metadata.annotations?.[releaseKeys.rampModeAnnotation(target)] ?? mode;
  const isRamping = isCanarying(state) || state === "releasing";
  return wanted === "replicaset" && isRamping && settings !== undefined && settings.scale.autoscaler !== "none";
}

export function sizeOn(cluster: FleetCluster, incarnation: Sized, sizing: Sizing): Size {
  const factor = factorFor(cluster, incarnation.revision);
  const scaled = (perCluster: number): number => Math.ceil(perCluster * factor);
  const live = incarnation.pods.byCluster[cluster.name]?.desired;
  if (isReplicaDriven(incarnation, sizing.target, sizing.flags.rampMode)) {
    const replicas = drivenReplicas(cluster, incarnation, sizing, scaled);
    return { initialReplicas: replicas, ...(live === undefined || live === replicas ? {} : { scaleTo: replicas }) };
  }
  const requested = scaled(requestedReplicas(cluster, incarnation, sizing));
  const bounds = factor > 0 ? boundsOn(cluster, incarnation, sizing) : undefined;
  return {
    ...replicasOf(incarnation, requested, live, sizing),
    ...(bounds ? { bounds: { min: scaled(bounds.min), max: scaled(bounds.max) } } : {}),
  };
}

function replicasOf(incarnation: Sized, requested: number, live: number | undefined, sizing: Sizing): Size {
  const isTaker = incarnation.tag === sizing.takerTag;
  const { autoscaler } = incarnation.settings.scale;
  // A queue may scale its worker to nothing, but what has traffic needs a pod before a route may name it (D-72).
  const isAwakened = live === 0 && (isTaker || percentOf(incarnation) > 0);
  if (autoscaler === "worker" && !isAwakened) return { initialReplicas: Math.min(1, requested) };
  // A fleet that has lost a cluster asks more of the others, and the next step waits for it.
  const mayRaise = autoscaler === "none" && (isTaker || incarnation.tag === sizing.rampingTag);
  const scaleTo = live === undefined ? undefined : resized(live, requested, mayRaise);
  return { initialReplicas: requested, ...(scaleTo === undefined ? {} : { scaleTo }) };
}

/** A running ReplicaSet is never resized between non-zero values, except up where nobody else would do it. */
function resized(live: number, requested: number, mayRaise: boolean): number | undefined {
  const isAllowed = requested === 0 || live === 0 || (mayRaise && requested > live);
  return isAllowed && live !== requested ? requested : undefined;
}

/** The ReplicaSet's size before the factor. */
function requestedReplicas(cluster: FleetCluster, incarnation: Sized, sizing: Sizing): number {
  if (isIdleOn(cluster, incarnation, sizing)) return 0;
  const { scale } = incarnation.settings;
  const own =
    scale.autoscaler === "none"
      ? divide(scale.default, 100, sizing.fleet.live.length)
      : share(scale.default, cluster, incarnation, sizing);
  return incarnation.tag === sizing.takerTag ? Math.max(own, takerReplicas(incarnation, sizing)) : own;
}

/** Parked, without traffic in the decided split and in the live one, and drained: it needs no pods (D-72). */
function isIdleOn(cluster: FleetCluster, incarnation: Incarnation, { drain }: Pick<Sizing, "drain">): boolean {
  return isParked(incarnation.state) && percentOf(incarnation) === 0 && isDrainedOn(incarnation, cluster, drain);
}

const ONE_POD = new Set(["deploying", "deployed", "pendingrelease"]);

/** The part of a count that the incarnation's traffic here asks for: the live route counts until it is changed. */
function share(count: number, cluster: FleetCluster, incarnation: Sized, { fleet, rampingTag }: Sizing): number {
  const live = cluster.world.route?.weights[incarnation.tag] ?? 0;
  const percent = Math.max(live, sharePercent(incarnation, rampingTag));
  const isFirstPod = ONE_POD.has(incarnation.state ?? "") && percent === 0;
  return isFirstPod ? 1 : divide(count, percent, fleet.live.length);
}

function sharePercent(incarnation: Sized, rampingTag: string | undefined): number {
  const { state, settings, tag } = incarnation;
  const current = percentOf(incarnation);
  if (ONE_POD.has(state ?? "")) return current;
  if (isCanarying(state)) return Math.max(current, settings.canary.percent);
  return tag === rampingTag
    ? Math.max(current, nextIncrement(settings.release, current, settings.release.max))
    : current;
}

/** Bounds before the factor. */
export function boundsOn(
  cluster: FleetCluster,
  incarnation: Sized,
  sizing: Sizing,
): { min: number; max: number } | undefined {
  const { scale } = incarnation.settings;
  if (scale.autoscaler === "none") return undefined;
  if (isKedaLike(incarnation.settings, sizing.flags) && isIdleOn(cluster, incarnation, sizing))
    return { min: 0, max: 0 };
  const { min, max } = rangeOn(cluster, incarnation, sizing);
  const atLeast = Math.max(min, incarnation.tag === sizing.takerTag ? takerReplicas(incarnation, sizing) : 0);
  return { min: atLeast, max: Math.max(max, atLeast) };
}

function rangeOn(cluster: FleetCluster, incarnation: Sized, sizing: Sizing): { min: number; max: number } {
  const { settings, state } = incarnation;
  const { scale } = settings;
  const minimum = scale.min ?? 1;
  const live = sizing.fleet.live.length;
  const isFullRange = state === "released" && modeOf(incarnation, sizing) === "replicaset";
  if (isFullRange) return { min: divide(minimum, 100, live), max: divide(scale.max, 100, live) };
  const max = share(scale.max, cluster, incarnation, sizing);
  if (!hasWeightOn(cluster, incarnation)) return fixedAt(Math.max(max, stepMinimum(incarnation, sizing)));
  if (isQueueDriven(scale) && minimum === 0) return { min: 0, max };
  const min = Math.max(share(minimum, cluster, incarnation, sizing), proactiveMinimum(incarnation, sizing));
  return { min, max };
}

/** In the decided split or in the live one. */
function hasWeightOn({ world }: FleetCluster, incarnation: Incarnation): boolean {
  return percentOf(incarnation) > 0 || (world.route?.weights[incarnation.tag] ?? 0) > 0;
}

function modeOf({ revision }: Incarnation, { target, flags }: Sizing): string {
  return revision?.metadata.annotations?.[releaseKeys.rampModeAnnotation(target)] ?? flags.rampMode;
}

function isQueueDriven({ autoscaler }: ScaleSettings): boolean {
  return autoscaler === "worker" || autoscaler === "keda";
}

/** KEDA scales to zero itself and would fight a ReplicaSet at zero (D-62). */
function isKedaLike({ scale, isAmbient }: TargetSettings, { clusterPrometheusAddress }: ReleaseFlags): boolean {
  const isAmbientKeda = isAmbient && scale.requestsRateMilli !== undefined && clusterPrometheusAddress !== "";
  return isQueueDriven(scale) || isAmbientKeda;
}

function fixedAt(replicas: number): { min: number; max: number } {
  return { min: replicas, max: replicas };
}

type Stepping = Pick<Sizing, "fleet" | "saved" | "rampingTag">;

/** Pods for the next step, asked for before it is taken; 0 where that does not apply. */
export function proactiveMinimum(incarnation: Sized, sizing: Stepping): number {
  return percentOf(incarnation) > 0 ? stepMinimum(incarnation, sizing) : 0;
}

/** Without them the capacity gate of the next step could stay closed for ever. */
function stepMinimum(incarnation: Sized, stepping: Stepping): number {
  return once(stepping, `step ${incarnation.tag}`, () => computeStepMinimum(incarnation, stepping));
}

function computeStepMinimum(incarnation: Sized, { fleet, saved, rampingTag }: Stepping): number {
  const { settings, state, tag, revision } = incarnation;
  const { scale, release } = settings;
  const current = percentOf(incarnation);
  if (tag !== rampingTag || state !== "releasing" || scale.autoscaler !== "metrics" || scale.min === undefined)
    return 0;
  const next = nextIncrement(release, current, release.max);
  if (next <= current) return 0;
  const factors = factorsFor(fleet.live, revision);
  const need = neededFor({ scale, load: loadOfOthers(saved, tag), factors }, next) ?? 0;
  return Math.min(perClusterFor(need, factors), divide(scale.max, 100, fleet.live.length));
}

function takerReplicas(incarnation: Sized, sizing: Pick<Sizing, "fleet">): number {
  const { settings, status, revision, tag } = incarnation;
  return once(sizing, `taker ${tag}`, () => {
    const factors = factorsFor(sizing.fleet.live, revision);
    return takeoverReplicas({ scale: settings.scale, base: status.rollbackBase ?? 0, factors });
  });
}

/** §6.9: sized by what the others need, capped, and never less than it has while it carries weight. */
function drivenReplicas(
  cluster: FleetCluster,
  incarnation: Sized,
  sizing: Sizing,
  scaled: (perCluster: number) => number,
): number {
  const { scale } = incarnation.settings;
  const liveClusters = sizing.fleet.live.length;
  const base = drivenBase(scale, loadOfOthers(sizing.saved, incarnation.tag));
  const percent = Math.max(
    sharePercent(incarnation, sizing.rampingTag),
    cluster.world.route?.weights[incarnation.tag] ?? 0,
  );
  const wanted = Math.max(
    divide(base, percent, liveClusters),
    incarnation.tag === sizing.takerTag ? takerReplicas(incarnation, sizing) : 0,
  );
  const replicas = scaled(Math.min(wanted, divide(scale.max, 100, liveClusters)));
  return hasWeightOn(cluster, incarnation)
    ? Math.max(replicas, incarnation.pods.byCluster[cluster.name]?.desired ?? 0)
    : replicas;
}

/** As §6.6, but with nothing else serving and no minimum it is the maximum. Own pods never count (D-24). */
export function drivenBase(scale: ScaleSettings, load: Load): number {
  return estimateFromOthers(scale, load) ?? (scale.min || scale.max);
}

/** How far autoscaler targets are lowered so that the next step finds pods (§6.7); only while it releases (D-77). */
export function targetScale(incarnation: Sized, rampingTag: string | undefined): number {
  const current = percentOf(incarnation);
  const isRamping = incarnation.tag === rampingTag && incarnation.state === "releasing";
  if (!isRamping || current <= 0 || current >= 100) return 1;
  const next = nextIncrement(incarnation.settings.release, current, 100);
  return next > 0 ? Math.min(1, current / next) : 1;
}
