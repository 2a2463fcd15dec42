import type { Clock } from "@chaski/clock";
import { type KubeObject, parseKey } from "@chaski/kube";
import type { Applier } from "../apply/applier.ts";
import { OWNER_INDEX, ownerIndexValue } from "../apply/owner-index.ts";
import { deepFreeze } from "../cache/freeze.ts";
import type { ClusterView } from "../clusters/cluster.ts";
import type { Fleet } from "../clusters/fleet.ts";
import { isAt } from "../clusters/place.ts";
import { type ClusterResult, type Decision, decideAhead, type Step } from "../decision/index.ts";
import type { EventRecorder } from "../events/recorder.ts";
import type { AnyController, ControllerDefinition, Gathering } from "./controller.ts";
import type { Outcome } from "./outcome.ts";
import { worksOnFleet } from "./wakes.ts";

/** What one pass saw and decided, in the order in which it happened. */
export interface PassRecord {
  readonly controller: string;
  readonly key: string;
  readonly atMs: number;
  readonly world: unknown;
  readonly decision: Decision<unknown>;
}

export interface PassDependencies {
  readonly clock: Clock;
  readonly fleet: Fleet;
  readonly applier: Applier;
  /** The delivery cluster by the name that objects carry in their owner annotation. */
  readonly deliveryName: string;
  readonly events?: EventRecorder;
  readonly record?: (record: PassRecord) => void;
  /** In tests: whoever mutates a world fails. */
  readonly freezesWorlds?: boolean;
}

export interface PassRequest {
  readonly key: string;
  readonly traceId: string;
  readonly signal: AbortSignal;
  /** Called when all that woke the key so far is about to be read. */
  onGather(): void;
}

type AnyDefinition = ControllerDefinition<KubeObject, unknown, unknown>;

/** Gather, decide, apply: one time, for one owner. */
export class Reconciler {
  readonly #definition: AnyDefinition;
  readonly #ahead: NonNullable<AnyDefinition["ahead"]>;
  readonly #dependencies: PassDependencies;

  constructor(definition: AnyController, dependencies: PassDependencies) {
    this.#definition = definition as unknown as AnyDefinition;
    this.#ahead = this.#definition.ahead ?? oneByOne(this.#definition);
    this.#dependencies = dependencies;
  }

  async reconcile(request: PassRequest): Promise<Outcome> {
    if (!(await this.#hasCaughtUp(request))) return { type: "wait", because: "a cache is older than our last write" };
    request.onGather();
    const object = this.#delivery.caches.of(this.#definition.kind).get(request.key);
    if (!object) return this.#forget(request.key);
    const { name: controller, kind, owns } = this.#definition;
    const decision = this.#decide(request.key, object);
    const { traceId, signal } = request;
    const pass = { controller, kind, owns, owner: object, decision, traceId, signal };
    const commit = await this.#dependencies.applier.commit(pass);
    if (commit.outcome === "superseded") return { type: "wait", because: "the object moved on" };
    for (const note of decision.events) this.#dependencies.events?.record(note.regarding ?? object, note);
    return outcomeOf(decision, commit.hasChanged);
  }

  #forget(key: string): Outcome {
    this.#dependencies.applier.forget(this.#definition.name, key);
    return { type: "done" };
  }

  get #delivery(): ClusterView {
    const [delivery] = this.#dependencies.fleet.clusters;
    if (!delivery) throw new Error("a fleet has at least the delivery cluster");
    return delivery;
  }

  get #clusters(): readonly ClusterView[] {
    return worksOnFleet(this.#definition) ? this.#dependencies.fleet.clusters : [this.#delivery];
  }

  #results(key: string): readonly ClusterResult[] {
    return this.#dependencies.applier.results(this.#definition.name, key);
  }

  /** Waits until the caches show what we wrote for this owner. A cluster that is not observed is a fact, not a wait. */
  async #hasCaughtUp({ key, signal }: PassRequest): Promise<boolean> {
    try {
      await this.#catchUp(key, signal);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  }

  async #catchUp(key: string, signal: AbortSignal): Promise<void> {
    await this.#delivery.caches.of(this.#definition.kind).caughtUp(parseKey(key), signal);
    const observed = new Map(this.#clusters.filter(isObserved).map((cluster) => [cluster.name, cluster.caches]));
    const waits = this.#results(key).flatMap(({ cluster, entries }) => {
      const caches = observed.get(cluster);
      return caches ? entries.map(({ ref }) => caches.of(ref.kind).caughtUp(ref, signal)) : [];
    });
    await Promise.all(waits);
  }

  #decide(key: string, object: KubeObject): Decision<unknown> {
    const { mayFollow } = this.#ahead;
    const gathering = this.#gathering(key, object);
    const decide = (owner: KubeObject): Step<unknown> => this.#step(key, { ...gathering, object: owner });
    const last = decideAhead(object, { decide, mayFollow });
    return last.complete(last.events);
  }

  #step(key: string, gathering: Gathering<KubeObject>): Step<unknown> {
    const { gather, name: controller } = this.#definition;
    const world = gather(gathering);
    if (this.#dependencies.freezesWorlds) deepFreeze(world);
    const step = this.#ahead.step(world);
    const { nowMs: atMs } = gathering;
    this.#dependencies.record?.({ controller, key, atMs, world, decision: step.complete(step.events) });
    return step;
  }

  #gathering(key: string, object: KubeObject): Gathering<KubeObject> {
    const clusters = this.#clusters;
    const owned = new Map(clusters.map((cluster) => [cluster.name, lazy(() => this.#owned(cluster, key))]));
    return {
      object,
      nowMs: this.#dependencies.clock.now(),
      caches: this.#delivery.caches,
      clusters,
      owned: (name) => owned.get(name)?.() ?? [],
      results: this.#results(key),
    };
  }

  #owned({ name, caches }: ClusterView, key: string): readonly KubeObject[] {
    const { name: controller, owns } = this.#definition;
    const owner = ownerIndexValue({ delivery: this.#dependencies.deliveryName, controller, key });
    return owns.filter(({ on }) => isAt(on, name)).flatMap(({ kind }) => caches.of(kind).byIndex(OWNER_INDEX, owner));
  }
}

function oneByOne({ decide }: AnyDefinition): NonNullable<AnyDefinition["ahead"]> {
  return {
    mayFollow: () => false,
    step: (world) => {
      const decided = decide(world);
      return { ...decided, complete: () => decided };
    },
  };
}

function isObserved({ reachability }: ClusterView): boolean {
  return reachability.state === "observed";
}

function outcomeOf(decision: Decision<unknown>, hasChanged: boolean): Outcome {
  if (decision.stalled) return { type: "stalled", stall: decision.stalled };
  if (hasChanged) return { type: "changed" };
  return decision.wakeAtMs === undefined ? { type: "done" } : { type: "wakeAt", atMs: decision.wakeAtMs };
}

/** Looked up at most once: decisions that are made ahead see the same moment. */
function lazy<T>(value: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: value() };
    return known.value;
  };
}
