// When pods were ready, revisions marked failed, routes written and all of it reported, as seen by a watch on every
// cluster: whoever asks again and again instead keeps the servers busy with what is not measured.
import { ReleaseManager, Revision } from "@chaski/api";
import { RealClock, systemRandom } from "@chaski/clock";
import { type KubeObject, ReplicaSet } from "@chaski/kube";
import { liveRouteOf, VirtualService } from "@chaski/releases";
import { type Client, createCaches } from "@chaski/runtime";
import type { FleetGround } from "./ground.ts";

const clock = new RealClock();

interface Seen {
  readonly isReady: boolean;
  readonly weight: number;
  readonly readyMs: number;
  readonly routedMs: number;
  readonly unroutedMs: number;
}

const NOTHING: Seen = { isReady: false, weight: 0, readyMs: 0, routedMs: 0, unroutedMs: 0 };

/** One namespace on all clusters, and the Revisions of the delivery cluster. */
export class RouteWatch implements Disposable {
  readonly #stop = new AbortController();
  /** By cluster and tag. */
  readonly #seen = new Map<string, Seen>();
  /** By tag. */
  readonly #failedMs = new Map<string, number>();
  readonly #clusters: readonly string[];
  #status: ReleaseManager["status"];
  #check = (): void => {};

  private constructor(clusters: readonly string[]) {
    this.#clusters = clusters;
  }

  static async open({ delivery, targets }: FleetGround, namespace: string): Promise<RouteWatch> {
    const watch = new RouteWatch(targets.map(({ name }) => name));
    await watch.#follow(delivery, (caches) => {
      for (const kind of [Revision, ReleaseManager]) caches.declare<KubeObject>(kind);
      caches.of(Revision).subscribe(({ object }) => watch.#failed(object));
      caches.of(ReleaseManager).subscribe(({ object }) => watch.#reported(object));
    });
    await Promise.all(
      targets.map(({ name, client }) =>
        watch.#follow(client, (caches) => {
          for (const kind of [ReplicaSet, VirtualService]) caches.declare<KubeObject>(kind, { namespace });
          caches.of(ReplicaSet).subscribe(({ object }) => watch.#scaled(name, object));
          caches.of(VirtualService).subscribe(({ object }) => watch.#routed(name, object));
        }),
      ),
    );
    return watch;
  }

  async #follow(client: Client, declare: (caches: ReturnType<typeof createCaches>) => void): Promise<void> {
    const caches = createCaches({ client, clock, random: systemRandom });
    declare(caches);
    caches.start(this.#stop.signal);
    await caches.synced(this.#stop.signal);
  }

  /** Resolves when the tag's pods are ready on so many clusters. */
  async untilReady(tag: string, clusters: number): Promise<void> {
    await this.#when((all) => all.filter(({ isReady }) => isReady).length >= clusters, tag);
  }

  /** Resolves when the tag has weight on every cluster: how long after its last ReplicaSet was ready. */
  async untilRouted(tag: string): Promise<number> {
    const all = await this.#when((seen) => seen.every(({ weight }) => weight > 0), tag);
    return latest(all, "routedMs") - latest(all, "readyMs");
  }

  /** Resolves when the tag has weight on no cluster: how long after its Revision was marked failed. */
  async untilUnrouted(tag: string): Promise<number> {
    const all = await this.#when((seen) => seen.every(({ weight }) => weight === 0), tag);
    return latest(all, "unroutedMs") - (this.#failedMs.get(tag) ?? Number.NaN);
  }

  /** Resolves when the tag's weight was seen on every cluster, and that was told. */
  async untilReported(tag: string): Promise<void> {
    await this.#until(() => {
      const clusters = this.#status?.clusters ?? [];
      const isTold = clusters.every(({ revisions = [] }) =>
        revisions.some((entry) => entry.tag === tag && (entry.percent ?? 0) > 0),
      );
      return clusters.length === this.#clusters.length && isTold;
    });
  }

  async untilForgotten(tag: string): Promise<void> {
    await this.#until(() => !this.#status?.revisions?.some((entry) => entry.tag === tag));
  }

  async #when(isSo: (all: readonly Seen[]) => boolean, tag: string): Promise<readonly Seen[]> {
    const all = (): readonly Seen[] => this.#clusters.map((cluster) => this.#of(cluster, tag));
    await this.#until(() => isSo(all()));
    return all();
  }

  async #until(isSo: () => boolean): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#check = () => {
        if (isSo()) resolve();
      };
      this.#check();
    });
  }

  #reported({ status }: Readonly<ReleaseManager>): void {
    this.#status = status;
    this.#check();
  }

  #failed({ spec }: Readonly<Revision>): void {
    const { tag } = spec.app;
    if (spec.failed && !this.#failedMs.has(tag)) this.#failedMs.set(tag, now());
  }

  #scaled(cluster: string, { metadata, spec, status }: Readonly<ReplicaSet>): void {
    const [wanted, available] = [spec?.replicas ?? 0, status?.availableReplicas ?? 0];
    const isReady = available > 0 && available >= wanted;
    const before = this.#of(cluster, metadata.name);
    this.#set(cluster, metadata.name, { ...before, isReady, ...(isReady && !before.isReady && { readyMs: now() }) });
  }

  #routed(cluster: string, route: Readonly<KubeObject>): void {
    const { weights } = liveRouteOf(route);
    const known = [...this.#seen.keys()]
      .filter((key) => key.startsWith(`${cluster} `))
      .map((key) => key.split(" ")[1] ?? "");
    for (const tag of new Set([...known, ...Object.keys(weights)])) {
      const before = this.#of(cluster, tag);
      const weight = weights[tag] ?? 0;
      const isTurned = weight > 0 !== before.weight > 0;
      const turned = isTurned ? (weight > 0 ? { routedMs: now() } : { unroutedMs: now() }) : {};
      this.#set(cluster, tag, { ...before, weight, ...turned });
    }
  }

  #of(cluster: string, tag: string): Seen {
    return this.#seen.get(`${cluster} ${tag}`) ?? NOTHING;
  }

  #set(cluster: string, tag: string, seen: Seen): void {
    this.#seen.set(`${cluster} ${tag}`, seen);
    this.#check();
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }
}

function latest(all: readonly Seen[], what: "readyMs" | "routedMs" | "unroutedMs"): number {
  return Math.max(...all.map((seen) => seen[what]));
}

function now(): number {
  return performance.now();
}
