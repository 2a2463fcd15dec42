// Watches every VirtualService, DestinationRule and ReplicaSet of a fleet, and holds each moment against the rules of the
// design. Versions order the changes of different kinds, as one store has written them all.
import type { Clock, Random } from "@chaski/clock";
import { type KubeObject, ReplicaSet } from "@chaski/kube";
import { type CacheEvent, type ClusterCaches, createCaches } from "@chaski/runtime";
import { liveRouteOf, subsetsOf } from "../../src/controllers/live-route.ts";
import { DestinationRule, type SpecObject, VirtualService } from "../../src/objects/kinds.ts";
import type { Target } from "./fleet-stage.ts";

interface Change {
  readonly version: number;
  readonly atMs: number;
  readonly object: KubeObject;
  readonly isGone: boolean;
}

const KINDS = [VirtualService, DestinationRule, ReplicaSet];

export class FleetRecorder {
  readonly #clock: Clock;
  readonly #changes = new Map<string, Change[]>();
  readonly #caches: ClusterCaches[] = [];
  readonly #stop = new AbortController();

  constructor(targets: readonly Target[], time: { readonly clock: Clock; readonly random: Random }) {
    this.#clock = time.clock;
    for (const { name, client } of targets) {
      const caches = createCaches({ client, ...time });
      const changes: Change[] = [];
      this.#changes.set(name, changes);
      for (const kind of KINDS) {
        caches.declare<KubeObject>(kind);
        caches.of<KubeObject>(kind).subscribe((event) => changes.push(this.#changeOf(event)));
      }
      caches.start(this.#stop.signal);
      this.#caches.push(caches);
    }
  }

  async ready(): Promise<void> {
    await Promise.all(this.#caches.map((caches) => caches.synced(this.#stop.signal)));
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#caches.map((caches) => caches.stopped()));
  }

  /** Every rule that was broken at some moment, in words. */
  broken(namespace: string, drainMs: number): readonly string[] {
    return [...this.#changes.keys()].flatMap((cluster) => {
      const moments = new Moments(drainMs);
      return this.#changesIn(cluster, namespace)
        .toSorted((a, b) => a.version - b.version)
        .flatMap((change) => moments.after(change))
        .map((message) => `${cluster}: ${message}`);
    });
  }

  /** The weights that a tag has had on a cluster's route, one after the other, without repetition. */
  weightsOn(cluster: string, namespace: string, tag: string): readonly number[] {
    const changes = this.#changesIn(cluster, namespace);
    const routes = changes.filter(({ object }) => object.kind === VirtualService.kind);
    const weights = routes.map(({ object }) => liveRouteOf(object as SpecObject).weights[tag] ?? 0);
    return weights.filter((weight, index) => weight !== weights[index - 1]);
  }

  #changesIn(cluster: string, namespace: string): readonly Change[] {
    return (this.#changes.get(cluster) ?? []).filter(({ object }) => object.metadata.namespace === namespace);
  }

  #changeOf(event: CacheEvent<KubeObject>): Change {
    const { object } = event;
    const version = Number(object.metadata.resourceVersion);
    return { version, atMs: this.#clock.now(), object, isGone: event.type === "deleted" };
  }
}

const NO_PODS = { wanted: 0, ready: 0 };

/** One cluster, moment after moment. */
class Moments {
  readonly #drainMs: number;
  readonly #replicas = new Map<string, typeof NO_PODS>();
  /** When each tag was last named by the route. */
  readonly #namedMs = new Map<string, number>();
  #weights: Readonly<Record<string, number>> = {};
  #named: readonly string[] = [];
  #subsets: readonly string[] = [];

  constructor(drainMs: number) {
    this.#drainMs = drainMs;
  }

  after({ object, atMs, isGone }: Change): readonly string[] {
    for (const tag of this.#named) this.#namedMs.set(tag, atMs);
    switch (object.kind) {
      case VirtualService.kind:
        return this.#routed(object);
      case DestinationRule.kind:
        return this.#divided(object, atMs);
      default:
        return this.#scaled(object as ReplicaSet, atMs, isGone);
    }
  }

  #routed(object: SpecObject): readonly string[] {
    const before = this.#weights;
    const { weights, named } = liveRouteOf(object);
    this.#weights = weights;
    this.#named = named;
    return [...totals(object), ...this.#missingSubsets(), ...this.#raisedWithoutPods(before)];
  }

  #missingSubsets(): readonly string[] {
    return this.#named
      .filter((tag) => !this.#subsets.includes(tag))
      .map((tag) => `rule 9: the route names ${tag}, and the subsets are ${this.#subsets.join(", ")}`);
  }

  #raisedWithoutPods(before: Readonly<Record<string, number>>): readonly string[] {
    const isReady = (tag: string): boolean => (this.#replicas.get(tag)?.ready ?? 0) > 0;
    const hasOther = (tag: string): boolean => Object.keys(before).some((other) => other !== tag && isReady(other));
    return Object.entries(this.#weights)
      .filter(([tag, weight]) => weight > (before[tag] ?? 0) && !isReady(tag) && hasOther(tag))
      .map(([tag, weight]) => `rule 2: ${tag} is raised to ${weight} % without a ready pod`);
  }

  #divided(object: SpecObject, atMs: number): readonly string[] {
    const before = this.#subsets;
    this.#subsets = subsetsOf(object);
    const gone = before.filter((tag) => !this.#subsets.includes(tag));
    return [
      ...this.#missingSubsets(),
      ...gone.filter((tag) => !this.#isDrained(tag, atMs)).map((tag) => `rule 9: subset ${tag} goes before the drain`),
    ];
  }

  #scaled(replicaSet: ReplicaSet, atMs: number, isGone: boolean): readonly string[] {
    const tag = replicaSet.metadata.name;
    const before = this.#replicas.get(tag) ?? NO_PODS;
    const after = isGone ? NO_PODS : podsOf(replicaSet);
    this.#replicas.set(tag, after);
    const isShut = after.wanted === 0 && before.wanted > 0;
    return [
      ...(isShut ? this.#shut(tag, atMs) : []),
      ...(after.ready === 0 && before.ready > 0 ? this.#withoutPods(tag) : []),
    ];
  }

  #shut(tag: string, atMs: number): readonly string[] {
    const named = `${tag} is scaled to 0 while the route names it (${this.#weights[tag] ?? 0} %)`;
    return [
      ...(this.#named.includes(tag) ? [named] : []),
      ...(this.#isDrained(tag, atMs) ? [] : [`${tag} is scaled to 0 before the drain`]),
    ];
  }

  #withoutPods(tag: string): readonly string[] {
    const weight = this.#weights[tag] ?? 0;
    return weight > 0 ? [`${tag} has ${weight} % of the traffic and lost its last ready pod`] : [];
  }

  #isDrained(tag: string, atMs: number): boolean {
    const lastMs = this.#namedMs.get(tag);
    return lastMs === undefined || atMs - lastMs >= this.#drainMs;
  }
}

function podsOf({ spec, status }: ReplicaSet): typeof NO_PODS {
  return { wanted: spec?.replicas ?? 1, ready: status?.availableReplicas ?? 0 };
}

interface HttpRoute {
  readonly name?: string;
  readonly route?: readonly { readonly weight?: number }[];
}

function totals({ spec }: SpecObject): readonly string[] {
  const routes = (spec?.["http"] ?? []) as readonly HttpRoute[];
  return routes.flatMap(({ name, route = [] }) => {
    const total = route.reduce((sum, { weight = 100 }) => sum + weight, 0);
    return total === 100 ? [] : [`rule 1: the weights of ${name} sum to ${total}`];
  });
}
