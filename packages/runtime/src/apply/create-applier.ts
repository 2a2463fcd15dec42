import type { Clock, Random } from "@chaski/clock";
import { type KubeObject, keyOf, type Ref, refTo } from "@chaski/kube";
import { NotFound } from "../client/errors.ts";
import { type ConnectedCluster, LOCAL_CLUSTER } from "../clusters/cluster.ts";
import type { ClusterDesired, ClusterResult, EntryResult } from "../decision/index.ts";
import { afterSending } from "./after-sending.ts";
import type { Applier, CommitOutcome, Pass } from "./applier.ts";
import type { AppliedMemory } from "./applied-memory.ts";
import { commitPatch } from "./commit-patches.ts";
import { StatusCommits } from "./commit-status.ts";
import { managerOf } from "./field-ownership.ts";
import { Lane } from "./lanes.ts";
import { type ObservedChange, observingWriter, WouldWriteError } from "./observe.ts";
import type { Owner } from "./ownership.ts";
import { Payloads } from "./payload.ts";
import { nameOf } from "./ref-name.ts";
import { type Sightings, takeSightings } from "./sightings.ts";
import { type ApplyPolicy, failed, reasonOf, type Site } from "./site.ts";
import { workOnCluster } from "./work-on-cluster.ts";
import { clusterWriter, type Writer } from "./writer.ts";

export interface ApplierOptions extends Partial<ApplyPolicy> {
  /** What the delivery cluster is called in ownership; stays the same for as long as its objects do. */
  readonly delivery: string;
  readonly clock: Clock;
  readonly random: Random;
  /** The cluster of that name; the delivery cluster is `LOCAL_CLUSTER`. */
  readonly cluster: (name: string) => ConnectedCluster | undefined;
  /** Asked before every write. */
  readonly mayWrite: () => boolean;
  /** Given: nothing is written anywhere, and what would have been is told here. */
  readonly observe?: (change: ObservedChange) => void;
  /** Called for every attempt, also for those that end like the one before. */
  readonly onApplied?: (applied: Applied) => void;
}

/** What came of one attempt to bring one cluster to what was decided for one owner. */
export interface Applied {
  readonly controller: string;
  /** `namespace/name`. */
  readonly owner: string;
  readonly result: ClusterResult;
}

const RESERVED_NAMESPACES = ["default", "kube-*", "istio-system"];
const LANE_DEADLINE_MS = 120_000;

export function createApplier(options: ApplierOptions): Applier {
  return new LanedApplier(options);
}

class LanedApplier implements Applier {
  readonly #options: ApplierOptions;
  readonly #policy: ApplyPolicy;
  readonly #statuses: StatusCommits;
  /** By owner, then by cluster. */
  readonly #lanes = new Map<string, Map<string, Lane>>();
  readonly #listeners = new Set<(controller: string, ownerKey: string) => void>();
  #isDraining = false;

  constructor(options: ApplierOptions) {
    if (!/^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/.test(options.delivery))
      throw new Error(`the delivery cluster's name must be a label value, and "${options.delivery}" is not`);
    this.#options = options;
    this.#statuses = new StatusCommits(options.clock);
    this.#policy = {
      ...(options.ignoreLabel !== undefined && { ignoreLabel: options.ignoreLabel }),
      replacedManagers: options.replacedManagers ?? [],
      reservedNamespaces: options.reservedNamespaces ?? RESERVED_NAMESPACES,
    };
  }

  async commit<Status>(pass: Pass<Status>): Promise<CommitOutcome> {
    const desired = this.#look(pass);
    try {
      const committing = this.#commitObjects(pass);
      void prepare(desired);
      const hasChanged = await committing;
      if (!this.#isDraining) this.#hand(pass, desired);
      return { outcome: "committed", hasChanged };
    } catch (error) {
      if (isSuperseding(error)) return { outcome: "superseded" };
      throw error;
    }
  }

  results(controller: string, ownerKey: string): readonly ClusterResult[] {
    const lanes = this.#lanes.get(ownerName(controller, ownerKey))?.values() ?? [];
    return [...lanes].flatMap(({ result }) => result ?? []);
  }

  onResult(wake: (controller: string, ownerKey: string) => void): void {
    this.#listeners.add(wake);
  }

  forget(controller: string, ownerKey: string): void {
    const name = ownerName(controller, ownerKey);
    for (const lane of this.#lanes.get(name)?.values() ?? []) void lane.stop();
    this.#lanes.delete(name);
    this.#statuses.forget(controller, ownerKey);
  }

  async drain(signal: AbortSignal): Promise<void> {
    this.#isDraining = true;
    const lanes = [...this.#lanes.values()].flatMap((ofOwner) => [...ofOwner.values()]);
    const aborted = new Promise<never>((_, reject) => {
      if (signal.aborted) reject(signal.reason as Error);
      else signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
    await Promise.race([Promise.all(lanes.map((lane) => lane.stop())), aborted]);
  }

  /** Together with what the caches show at this moment, which is what was decided on. */
  #look({ controller, owner, decision }: Pass<unknown>): readonly SeenDesired[] {
    const payloads = new Payloads(this.#owner(controller, owner));
    return [...Map.groupBy(decision.desired, ({ cluster }) => cluster)].map(([cluster, parts]) => {
      const entries = parts.flatMap((part) => part.entries);
      const caches = this.#options.cluster(cluster)?.caches;
      return { cluster, entries, payloads, sightings: caches ? takeSightings(caches, entries) : new Map() };
    });
  }

  #owner(controller: string, { metadata }: Readonly<KubeObject>): Owner {
    return { delivery: this.#options.delivery, controller, key: keyOf(metadata) };
  }

  async #commitObjects(pass: Pass<unknown>): Promise<boolean> {
    const { kind, owner, decision, controller, signal } = pass;
    const delivery = this.#options.cluster(LOCAL_CLUSTER);
    if (!delivery) throw new Error("the delivery cluster is not connected");
    const manager = managerOf(controller);
    const writer = this.#writer(delivery, signal);
    const written = new Map<string, KubeObject>();
    const answer = await unlessObserving(() => this.#statuses.commit(pass, writer, manager));
    if (answer) written.set(nameOf(refTo(kind, owner)), answer);
    for (const patch of decision.patches)
      await unlessObserving(() => commitPatch(patch, { caches: delivery.caches, writer, manager, written }));
    return written.size > 0;
  }

  #hand(pass: Pass<unknown>, desired: readonly SeenDesired[]): void {
    const name = ownerName(pass.controller, keyOf(pass.owner.metadata));
    const lanes = this.#lanes.get(name) ?? new Map<string, Lane>();
    this.#lanes.set(name, lanes);
    const clusters = new Set(desired.map(({ cluster }) => cluster));
    for (const [cluster, lane] of lanes) {
      if (clusters.has(cluster)) continue;
      void lane.stop();
      lanes.delete(cluster);
    }
    for (const each of desired) {
      const lane = lanes.get(each.cluster) ?? this.#newLane(pass, each.cluster);
      lanes.set(each.cluster, lane);
      lane.offer((memory, isSuperseded) => this.#work(pass, each, { memory, isSuperseded }), each.entries);
    }
  }

  #newLane({ controller, owner }: Pass<unknown>, cluster: string): Lane {
    const { clock, random, onApplied } = this.#options;
    const key = keyOf(owner.metadata);
    const wake = (): void => {
      for (const listener of this.#listeners) listener(controller, key);
    };
    const onResult = (result: ClusterResult): void => onApplied?.({ controller, owner: key, result });
    return new Lane({ cluster, clock, random, wake, onResult });
  }

  /** Whatever happens, there is a result for every entry. */
  async #work(pass: Pass<unknown>, desired: SeenDesired, lane: LaneState): Promise<readonly EntryResult[] | undefined> {
    const { entries } = desired;
    const cluster = this.#options.cluster(desired.cluster);
    if (!cluster) return entries.map(({ ref }) => failed(ref, "UnknownCluster", `${desired.cluster} is not connected`));
    using deadline = this.#options.clock.deadline(LANE_DEADLINE_MS);
    const { payloads } = desired;
    const site = this.#site(pass, { cluster, memory: lane.memory, payloads, signal: deadline.signal });
    const isSuperseded = (): boolean => lane.isSuperseded() || !this.#options.mayWrite();
    try {
      return await workOnCluster({ site, entries, isSuperseded, owns: pass.owns, sightings: desired.sightings });
    } catch (error) {
      return entries.map(({ ref }) => failed(ref, reasonOf(error), String(error)));
    }
  }

  #site({ controller, owner }: Pass<unknown>, at: Pick<Site, "cluster" | "memory" | "payloads" | "signal">): Site {
    return {
      ...at,
      owner: this.#owner(controller, owner),
      ownerUid: owner.metadata.uid,
      isOwnerDeleted: owner.metadata.deletionTimestamp !== undefined,
      manager: managerOf(controller),
      policy: this.#policy,
      writer: this.#writer(at.cluster, at.signal),
      readSource: (ref) => this.#readSource(ref, at.signal),
    };
  }

  async #readSource(ref: Ref, signal: AbortSignal): Promise<KubeObject> {
    const delivery = this.#options.cluster(LOCAL_CLUSTER);
    if (!delivery) throw new Error("the delivery cluster is not connected");
    return await delivery.client.of(ref.kind).get(ref, { signal });
  }

  #writer(cluster: ConnectedCluster, signal: AbortSignal | undefined): Writer {
    const { observe, mayWrite } = this.#options;
    return observe ? observingWriter(cluster.name, observe) : clusterWriter(cluster, mayWrite, signal);
  }
}

interface SeenDesired extends ClusterDesired {
  readonly sightings: Sightings;
  readonly payloads: Payloads;
}

/** While the commit is on its way: when it has come, the lanes have nothing left to work out. */
async function prepare(desired: readonly SeenDesired[]): Promise<void> {
  await afterSending();
  for (const { payloads, entries } of desired) payloads.prepare(entries);
}

interface LaneState {
  readonly memory: AppliedMemory;
  readonly isSuperseded: () => boolean;
}

/** The owner or a person's object is not what was decided on any more, or it is not for us to write. */
function isSuperseding(error: unknown): boolean {
  // Without a status subresource nothing is found, either; that no new decision would change.
  if (error instanceof NotFound) return !error.isKindMissing;
  return ["Conflict", "NoLongerLeader"].includes(reasonOf(error));
}

/** Who only observes goes on after what would have been written. */
async function unlessObserving<T>(commit: () => Promise<T>): Promise<T | undefined> {
  try {
    return await commit();
  } catch (error) {
    if (error instanceof WouldWriteError) return undefined;
    throw error;
  }
}

function ownerName(controller: string, ownerKey: string): string {
  return `${controller} ${ownerKey}`;
}
