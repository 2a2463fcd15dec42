import { RealClock, seededRandom } from "@chaski/clock";
import { CustomResourceDefinition, type Key, type Kind, type KubeObject, keyOf, type Ref } from "@chaski/kube";
import {
  type Applier,
  type ApplierOptions,
  type CacheOptions,
  type Client,
  type ClusterResult,
  type CommitOutcome,
  type ConnectedCluster,
  createApplier,
  createCaches,
  type Decision,
  decision,
  type Entry,
  type EntryResult,
  type KindClient,
  LOCAL_CLUSTER,
  OWNER_INDEX,
  ownerIndex,
} from "@chaski/runtime";
import { until } from "@chaski/test/kube";
import { Voyage, voyageCrds } from "./voyage.ts";

export const CONTROLLER = "test.voyage";
export const DELIVERY = "harbour";

/** One cluster with caches of all that the tests apply. */
export interface StageCluster extends ConnectedCluster {
  /** Another user's, for what the test itself does. */
  readonly witness: Client;
  stop(): Promise<void>;
}

export interface StageOptions extends Partial<ApplierOptions> {
  readonly kinds: readonly Kind[];
}

const clock = new RealClock();
const random = seededRandom(1);

export async function installVoyages(client: Client): Promise<void> {
  for (const crd of voyageCrds) {
    const definitions = client.of(CustomResourceDefinition);
    await definitions.apply(crd, { fieldManager: "test" });
    await until(async () => (await definitions.get(crd.metadata)).status?.acceptedNames?.kind, {
      what: `${crd.metadata.name} is accepted`,
    });
  }
}

export async function connectCluster(
  name: string,
  { client, witness }: Pick<StageCluster, "client" | "witness">,
  kinds: readonly Kind[],
  options: CacheOptions<KubeObject> = {},
): Promise<StageCluster> {
  const caches = createCaches({ client, clock, random, isFrozen: true });
  caches.declare(Voyage);
  for (const kind of kinds) caches.declare(kind, { ...options, indices: { [OWNER_INDEX]: ownerIndex } });
  const stop = new AbortController();
  caches.start(stop.signal);
  await caches.synced(stop.signal);
  return {
    name,
    client,
    witness,
    caches,
    reachability: { state: "observed" },
    async stop() {
      stop.abort();
      await caches.stopped();
      await Promise.all([client.close(), witness.close()]);
    },
  };
}

/** An owner on a cluster, and an applier that works for it. */
export class Stage {
  readonly cluster: StageCluster;
  readonly namespace: string;
  readonly owner: Key & { readonly namespace: string };
  readonly #options: StageOptions;
  applier: Applier;

  constructor(cluster: StageCluster, namespace: string, options: StageOptions) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.owner = { namespace, name: "first" };
    this.#options = options;
    this.applier = this.#newApplier();
  }

  /** An applier that remembers nothing, as after a restart. */
  restart(options: Partial<ApplierOptions> = {}): void {
    this.applier = this.#newApplier(options);
  }

  /** From here on commits wait, once decided, until they are let go. */
  holdCommits(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { client } = this.cluster;
    const of = (kind: Kind): object => {
      const real = client.of(kind);
      if (kind.kind !== Voyage.kind) return real;
      const held: Pick<KindClient<KubeObject>, "apply"> = {
        apply: (...args) => promise.then(() => real.apply(...args)),
      };
      return held;
    };
    const cluster = { ...this.cluster, client: { ...client, of } } as unknown as ConnectedCluster;
    this.restart({ cluster: () => cluster });
    return resolve;
  }

  async createOwner(): Promise<void> {
    await this.cluster.witness.of(Voyage).create({
      apiVersion: "applier.chaski.dev/v1",
      kind: "Voyage",
      metadata: this.owner,
    });
    await this.cachedOwner();
  }

  async commit(parts: Partial<Decision<unknown>>): Promise<CommitOutcome> {
    const owner = await this.cachedOwner();
    return await this.commitFor(owner, parts);
  }

  async commitFor(owner: Readonly<KubeObject>, parts: Partial<Decision<unknown>>): Promise<CommitOutcome> {
    return await this.applier.commit({
      controller: CONTROLLER,
      kind: Voyage,
      owns: this.#options.kinds.map((kind) => ({ kind, on: "fleet" })),
      owner,
      decision: decision(parts),
      traceId: "0",
    });
  }

  /** One pass over the local cluster, to its end. */
  async pass(entries: readonly Entry[]): Promise<readonly EntryResult[]> {
    const before = this.#result();
    await this.commit({ desired: [{ cluster: LOCAL_CLUSTER, entries }] });
    const done = await until(() => (this.#result() === before ? undefined : this.#result()), {
      what: "the lane has finished",
      everyMs: 5,
    });
    return done.entries;
  }

  async live<T extends KubeObject>(ref: Ref<T>): Promise<T> {
    return await this.cluster.witness.of(ref.kind).get(ref);
  }

  /** Waits until the cache shows what somebody else has written. */
  async seen(ref: Ref, resourceVersion: string | undefined): Promise<void> {
    await until(() => (this.cached(ref)?.metadata.resourceVersion === resourceVersion ? true : undefined), {
      what: `the cache shows ${keyOf(ref)}`,
      everyMs: 5,
    });
  }

  cached(ref: Ref): Readonly<KubeObject> | undefined {
    return this.cluster.caches.of(ref.kind).get(keyOf(ref));
  }

  async cachedOwner(): Promise<Readonly<KubeObject>> {
    return await until(() => this.cluster.caches.of(Voyage).get(keyOf(this.owner)), { what: "the owner is cached" });
  }

  #result(): ClusterResult | undefined {
    return this.applier.results(CONTROLLER, keyOf(this.owner)).find(({ cluster }) => cluster === LOCAL_CLUSTER);
  }

  #newApplier(options: Partial<ApplierOptions> = {}): Applier {
    return createApplier({
      delivery: DELIVERY,
      clock,
      random,
      mayWrite: () => true,
      cluster: (name) => (name === LOCAL_CLUSTER ? this.cluster : undefined),
      ...this.#options,
      ...options,
    });
  }
}
