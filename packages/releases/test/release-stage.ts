// The operator's own applier on a real API server, for plans instead of decisions.
import { crdOf, ReleaseManager, releaseManagerResource } from "@chaski/api";
import { RealClock, seededRandom } from "@chaski/clock";
import { keyOf, type KubeObject } from "@chaski/kube";
import {
  type Applier,
  type ClusterCaches,
  type Client,
  connect,
  createApplier,
  createCaches,
  decision,
  kubeconfigFromData,
  LOCAL_CLUSTER,
  OWNER_INDEX,
  ownerIndex,
} from "@chaski/runtime";
import { type ClusterAccess, until } from "@chaski/test/kube";
import { buildEntries, type ReleasePlan } from "../src/objects/entries/build-entries.ts";
import { coreKinds, optionalKinds } from "../src/objects/kinds.ts";

const CONTROLLER = "releases.release-manager";
const KINDS = [...coreKinds, ...optionalKinds];
const options = { clock: new RealClock(), random: seededRandom(1) };
const key = { namespace: "default", name: "relay-production" };

export class ReleaseStage {
  readonly #client: Client;
  readonly #caches: ClusterCaches;
  readonly #applier: Applier;
  readonly #stop = new AbortController();

  private constructor(client: Client) {
    this.#client = client;
    this.#caches = createCaches({ client, ...options, isFrozen: true });
    this.#caches.declare(ReleaseManager);
    for (const kind of KINDS) this.#caches.declare(kind, { indices: { [OWNER_INDEX]: ownerIndex } });
    const cluster = { name: LOCAL_CLUSTER, client, caches: this.#caches, reachability: { state: "observed" } } as const;
    this.#applier = createApplier({ delivery: "test", ...options, mayWrite: () => true, cluster: () => cluster });
  }

  static async start(plane: ClusterAccess): Promise<ReleaseStage> {
    const input = JSON.stringify(crdOf(releaseManagerResource));
    await plane.kubectl(["apply", "--server-side", "-f", "-"], { input });
    await plane.kubectl(["wait", "--for=condition=Established", "-f", "-"], { input });
    const owner = {
      apiVersion: "picchu.medium.engineering/v1alpha1",
      kind: "ReleaseManager",
      metadata: key,
      spec: { app: "relay", target: "production", fleet: "production" },
    };
    await plane.kubectl(["apply", "--server-side", "-f", "-"], { input: JSON.stringify(owner) });
    const connection = await kubeconfigFromData(Buffer.from(plane.admin.kubeconfig), "test").connection();
    const stage = new ReleaseStage(connect(connection, { ...options, cluster: LOCAL_CLUSTER }));
    stage.#caches.start(stage.#stop.signal);
    await stage.#caches.synced(stage.#stop.signal);
    return stage;
  }

  /** One pass over the cluster, to its end; `<kind> <name> <outcome>`, with the reason where it failed. */
  async pass(plan: ReleasePlan): Promise<readonly string[]> {
    const clusters = plan.clusters.map((cluster) => ({ ...cluster, owned: this.#owned() }));
    const entries = buildEntries({ ...plan, clusters })[LOCAL_CLUSTER] ?? [];
    const before = this.#results();
    const owner = await until(() => this.#caches.of(ReleaseManager).get(keyOf(key)), { what: "the owner is cached" });
    await this.#applier.commit({
      controller: CONTROLLER,
      kind: ReleaseManager,
      owns: KINDS.map((kind) => ({ kind, on: "fleet" })),
      owner,
      decision: decision({ desired: [{ cluster: LOCAL_CLUSTER, entries }] }),
      traceId: "0",
    });
    const done = await until(() => (this.#results() === before ? undefined : this.#results()), {
      what: "the cluster is done",
    });
    return done.entries.map((result) => {
      const failure = "message" in result ? ` ${result.message}` : "";
      return `${result.ref.kind.kind} ${result.ref.name} ${result.outcome}${failure}`;
    });
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#caches.stopped();
    await this.#client.close();
  }

  #owned(): readonly KubeObject[] {
    const isOurs = ({ metadata }: KubeObject): boolean => metadata.annotations?.["chaski.dev/owner"] !== undefined;
    return KINDS.flatMap((kind) => [...this.#caches.of(kind).list()].filter(isOurs));
  }

  #results(): ReturnType<Applier["results"]>[number] | undefined {
    return this.#applier.results(CONTROLLER, keyOf(key)).find(({ cluster }) => cluster === LOCAL_CLUSTER);
  }
}
