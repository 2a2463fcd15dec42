import { type Kind, type KubeObject, keyOf } from "@chaski/kube";
import { ownerOf } from "../apply/ownership.ts";
import type { CacheEvent } from "../cache/cache.ts";
import type { ClusterView } from "../clusters/cluster.ts";
import type { Fleet } from "../clusters/fleet.ts";
import { isAt } from "../clusters/place.ts";
import type { WorkQueue } from "../queue/work-queue.ts";
import type { AnyController, Urgency, WakeContext, WakeRule } from "./controller.ts";
import { isSameProjection } from "./projection.ts";

/** Events about one owner that come within this time are one, unless its controller says otherwise. */
export const COALESCE_MS = 50;
const LATER_MS = 1_000;

export interface WakesOptions {
  readonly definition: AnyController;
  readonly fleet: Fleet;
  /** The delivery cluster by the name that objects carry in their owner annotation. */
  readonly deliveryName: string;
  readonly queue: WorkQueue;
}

/** Turns what happens in caches and to clusters into keys of the queue, until the returned function is called. */
export function startWakes({ definition, fleet, deliveryName, queue }: WakesOptions): () => void {
  const rules = rulesOf(definition, deliveryName);
  const [delivery] = fleet.clusters;
  if (!delivery) throw new Error("a fleet has at least the delivery cluster");
  const context = { caches: delivery.caches, fleet, ownerKind: definition.kind };
  const stopVisits = fleet.visit((cluster) =>
    watchCluster(cluster, rules, { ...context, cluster: cluster.name }, { queue, definition }),
  );
  const keysOfCluster = definition.wakeOnCluster ?? (() => allOf(delivery, definition.kind));
  const stopChanges = worksOnFleet(definition)
    ? fleet.onChange((cluster) => {
        for (const key of keysOfCluster({ ...context, cluster })) queue.addAfter(key, waitMs(definition, "soon"));
      })
    : () => {};
  return () => {
    stopVisits();
    stopChanges();
  };
}

export function waitMs({ coalesceMs = COALESCE_MS }: Pick<AnyController, "coalesceMs">, urgency: Urgency): number {
  return { now: 0, soon: coalesceMs, later: LATER_MS }[urgency];
}

export function worksOnFleet({ wakeOn, owns, wakeOnCluster }: AnyController): boolean {
  return wakeOnCluster !== undefined || [...wakeOn, ...owns].some(({ on }) => on !== "delivery");
}

/** The controller's own kind, what it owns, and what it says itself. */
function rulesOf({ name, kind, owns, wakeOn }: AnyController, delivery: string): readonly WakeRule[] {
  const itself: WakeRule = { kind, on: "delivery", keys: ({ metadata }) => [keyOf(metadata)] };
  const ownedKinds = owns.map(
    (owned): WakeRule => ({
      kind: owned.kind,
      on: owned.on,
      ...(owned.cache && { cache: owned.cache }),
      ...(owned.isRelevant && { isRelevant: owned.isRelevant.bind(owned) }),
      ...(owned.urgencyOf && { urgencyOf: owned.urgencyOf.bind(owned) }),
      keys: (object) => {
        const owner = ownerOf(object);
        return owner?.controller === name && owner.delivery === delivery ? [owner.key] : [];
      },
    }),
  );
  return [itself, ...ownedKinds, ...wakeOn];
}

function watchCluster(
  cluster: ClusterView,
  rules: readonly WakeRule[],
  context: WakeContext,
  wakes: Wakes,
): () => void {
  const stops = rules
    .filter(({ on }) => isAt(on, cluster.name))
    .map((rule) => cluster.caches.of(rule.kind).subscribe((event) => wakeBy(rule, event, context, wakes)));
  return () => {
    for (const stop of stops) stop();
  };
}

type Updated = Extract<CacheEvent<KubeObject>, { type: "updated" }>;

type Wakes = Pick<WakesOptions, "queue" | "definition">;

function wakeBy(
  rule: WakeRule,
  event: CacheEvent<KubeObject>,
  context: WakeContext,
  { queue, definition }: Wakes,
): void {
  const keys = keysOf(rule, event, context);
  // Most rules name nobody, which is sooner known than whether anything has changed.
  if (keys.size === 0 || (event.type === "updated" && !doesWake(rule, event, context))) return;
  const isBackground = event.type === "updated" ? event.isResync : event.type === "added" && event.isInitial;
  for (const key of keys) {
    if (isBackground) queue.add(key, "background");
    else queue.addAfter(key, waitMs(definition, urgencyOf(rule, event, context)));
  }
}

function urgencyOf(rule: WakeRule, event: CacheEvent<KubeObject>, context: WakeContext): Urgency {
  return rule.urgencyOf?.(event.object, event.type === "updated" ? event.old : undefined, context) ?? "soon";
}

/** The period is the owner's own: that something else stands still tells it nothing. */
function doesWake(rule: WakeRule, event: Updated, { ownerKind }: WakeContext): boolean {
  return event.isResync ? rule.kind === ownerKind : isRelevant(rule, event.old, event.object);
}

/** Of an object whose content is not cached, a new version is all that tells of a change. */
function isRelevant(rule: WakeRule, old: KubeObject, object: KubeObject): boolean {
  if (rule.cache?.isMetadataOnly) return true;
  return rule.isRelevant ? rule.isRelevant(old, object) : !isSameProjection(old, object);
}

/** An update that moves an object from one owner to another wakes both. */
function keysOf(rule: WakeRule, event: CacheEvent<KubeObject>, context: WakeContext): ReadonlySet<string> {
  const keys = new Set(rule.keys(event.object, context));
  if (event.type === "updated") for (const key of rule.keys(event.old, context)) keys.add(key);
  return keys;
}

function allOf(delivery: ClusterView, kind: Kind): readonly string[] {
  return delivery.caches
    .of(kind)
    .list()
    .map(({ metadata }) => keyOf(metadata));
}
