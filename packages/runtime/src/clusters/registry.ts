import type { ConnectedCluster } from "./cluster.ts";
import type { ClusterDefinition } from "./definition.ts";
import type { Fleet } from "./fleet.ts";
import { LiveCluster, type LiveClusterSettings } from "./live-cluster.ts";

type Visit = (cluster: ConnectedCluster) => () => void;

export type RegistrySettings = Omit<LiveClusterSettings, "onChange">;

/** The delivery cluster and every remote one, started, rotated and stopped as their definitions change. */
export class ClusterRegistry implements Fleet {
  readonly #settings: RegistrySettings;
  readonly #delivery: ConnectedCluster;
  readonly #remotes = new Map<string, LiveCluster>();
  /** Per visit, what to call when a cluster leaves. */
  readonly #visits = new Map<Visit, Map<string, () => void>>();
  readonly #listeners = new Set<(cluster: string) => void>();
  readonly #stopping = new Set<Promise<void>>();

  constructor(delivery: ConnectedCluster, settings: RegistrySettings) {
    this.#delivery = delivery;
    this.#settings = settings;
  }

  get clusters(): readonly ConnectedCluster[] {
    return [this.#delivery, ...this.#remotes.values()];
  }

  get(name: string): ConnectedCluster | undefined {
    return name === this.#delivery.name ? this.#delivery : this.#remotes.get(name);
  }

  /** What the remote clusters are from now on. Those that stay as they are notice nothing. */
  set(definitions: readonly ClusterDefinition[]): void {
    const wanted = new Map(definitions.map((definition) => [definition.name, definition]));
    if (wanted.has(this.#delivery.name)) throw new Error(`${this.#delivery.name} is the delivery cluster's name`);
    for (const [name, { definition }] of this.#remotes) {
      if (wanted.get(name)?.identity !== definition.identity) this.#leave(name);
    }
    for (const definition of wanted.values()) this.#follow(definition);
  }

  visit(visit: Visit): () => void {
    this.#visits.set(visit, new Map(this.clusters.map((cluster) => [cluster.name, visit(cluster)])));
    return () => {
      for (const leave of this.#visits.get(visit)?.values() ?? []) leave();
      this.#visits.delete(visit);
    };
  }

  onChange(listener: (cluster: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Stops every remote cluster; the delivery cluster belongs to whoever made it. */
  async stop(): Promise<void> {
    this.set([]);
    await Promise.all(this.#stopping);
  }

  #follow(definition: ClusterDefinition): void {
    const known = this.#remotes.get(definition.name);
    if (known === undefined) this.#join(definition);
    else known.redefine(definition);
  }

  #join(definition: ClusterDefinition): void {
    const cluster = new LiveCluster(definition, { ...this.#settings, onChange: (name) => this.#tell(name) });
    this.#remotes.set(cluster.name, cluster);
    for (const [visit, leaves] of this.#visits) leaves.set(cluster.name, visit(cluster));
    this.#tell(cluster.name);
  }

  #leave(name: string): void {
    const cluster = this.#remotes.get(name);
    this.#remotes.delete(name);
    for (const leaves of this.#visits.values()) {
      leaves.get(name)?.();
      leaves.delete(name);
    }
    const stopping = (cluster?.stop() ?? Promise.resolve()).catch(() => undefined);
    this.#stopping.add(stopping);
    void stopping.then(() => this.#stopping.delete(stopping));
    this.#tell(name);
  }

  #tell(cluster: string): void {
    for (const listener of this.#listeners) listener(cluster);
  }
}
