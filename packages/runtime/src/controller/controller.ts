import type { Kind, KubeObject } from "@chaski/kube";
import type { CacheOptions, Caches, IndexFunction } from "../cache/cache.ts";
import type { ClusterView } from "../clusters/cluster.ts";
import type { Fleet } from "../clusters/fleet.ts";
import type { Place } from "../clusters/place.ts";
import type { ClusterResult, Decision, Step } from "../decision/index.ts";

/** All that gather may read: caches, never the API server. */
export interface Gathering<T extends KubeObject> {
  readonly object: Readonly<T>;
  readonly nowMs: number;
  /** Of the delivery cluster. */
  readonly caches: Caches;
  /** Every cluster that this controller works on, the delivery cluster first. */
  readonly clusters: readonly ClusterView[];
  /** The objects on that cluster whose `chaski.dev/owner` names this owner and themselves. */
  readonly owned: (cluster: string) => readonly Readonly<KubeObject>[];
  readonly results: readonly ClusterResult[];
}

/** Of a wake-up: not gathered with others, gathered for as long as the controller says, or for a second. */
export type Urgency = "now" | "soon" | "later";

export interface WakeContext {
  /** Where the event happened. */
  readonly cluster: string;
  /** Of the delivery cluster. */
  readonly caches: Caches;
  readonly fleet: Pick<Fleet, "clusters">;
  /** The controller's own kind. */
  readonly ownerKind: Kind;
}

/** An event on one kind wakes the owners that `keys` names (`namespace/name`). */
export interface WakeRule<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  readonly on: Place;
  keys(object: Readonly<T>, context: WakeContext): readonly string[];
  /** False for an update that changes nothing the controller reads. */
  isRelevant?(old: Readonly<T>, object: Readonly<T>): boolean;
  /** Soon, unless given: what a person does is answered now, what is most likely followed by more can wait for it. */
  urgencyOf?(object: Readonly<T>, old: Readonly<T> | undefined, context: WakeContext): Urgency;
  readonly cache?: CacheOptions<T>;
  /** An index that `keys` needs on the cache of the controller's own kind. */
  readonly ownerIndex?: { readonly name: string; readonly values: IndexFunction<KubeObject> };
}

export interface OwnedKind extends Pick<WakeRule, "isRelevant" | "urgencyOf"> {
  readonly kind: Kind;
  readonly on: Place;
  /** Then no right to remove it is asked for. */
  readonly isNeverRemoved?: boolean;
  readonly cache?: CacheOptions<KubeObject>;
}

export interface AheadDefinition<T extends KubeObject, World, Status> {
  /** Whether the next decision may follow from a decided status before it is written. */
  readonly mayFollow: (before: Readonly<T>, decided: Status) => boolean;
  /** As `decide`, which is this and its completion. */
  readonly step: (world: World) => Step<Status>;
}

export interface ControllerDefinition<T extends KubeObject, World, Status> {
  /** The folder path, such as `canaries.canary`; the field manager is `chaski-<name>`. */
  readonly name: string;
  readonly kind: Kind<T>;
  readonly cache?: CacheOptions<T>;
  readonly wakeOn: readonly WakeRule[];
  /** Whom to wake when a cluster joins, leaves or changes its reachability; whoever works on clusters, unless given. */
  readonly wakeOnCluster?: (context: WakeContext) => readonly string[];
  /** Kinds that the controller writes and owns; watched, indexed by owner, wake their owner. */
  readonly owns: readonly OwnedKind[];
  readonly gather: (gathering: Gathering<T>) => World;
  readonly decide: (world: World) => Decision<Status>;
  /** Given: decisions that follow from one another at once are committed together. */
  readonly ahead?: AheadDefinition<T, World, Status>;
  /** How many owners are worked on at the same time; 1 unless given. */
  readonly concurrency?: number;
  /** Events about one owner that come within this time are one reason for a pass, and so is what a pass changed; 50 unless given. */
  readonly coalesceMs?: number;
}

/** A controller of whatever kind, world and status: what a list of controllers holds. */
export interface AnyController {
  readonly name: string;
  readonly kind: Kind;
  readonly cache?: unknown;
  readonly wakeOn: readonly WakeRule[];
  readonly wakeOnCluster?: (context: WakeContext) => readonly string[];
  readonly owns: readonly OwnedKind[];
  readonly gather: (gathering: Gathering<never>) => unknown;
  readonly decide: (world: never) => Decision<unknown>;
  readonly ahead?: {
    readonly mayFollow: (before: never, decided: never) => boolean;
    readonly step: (world: never) => Step<unknown>;
  };
  readonly concurrency?: number;
  readonly coalesceMs?: number;
}

/** A controller is a declaration; the loop that runs it stands once, in the runtime. */
export function defineController<T extends KubeObject, World, Status>(
  definition: ControllerDefinition<T, World, Status>,
): ControllerDefinition<T, World, Status> {
  return Object.freeze(definition);
}
