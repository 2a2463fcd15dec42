// When pods were ready and routes written, as seen by a watch on every cluster.
import { RealClock, systemRandom } from "@chaski/clock";
import { type KubeObject, ReplicaSet } from "@chaski/kube";
import { liveRouteOf, VirtualService } from "@chaski/releases";
import { createCaches } from "@chaski/runtime";
import type { GroundTarget } from "./ground.ts";

const clock = new RealClock();

interface Seen {
  readonly isReady: boolean;
  readonly weight: number;
  readonly readyMs: number;
  readonly routedMs: number;
  readonly unroutedMs: number;
}

const NOTHING: Seen = { isReady: false, weight: 0, readyMs: 0, routedMs: 0, unroutedMs: 0 };

/** One namespace on all clusters. */
export class RouteWatch implements Disposable {
  readonly #stop = new AbortController();
  /** By cluster and tag. */
  readonly #seen = new Map<string, Seen>();
  readonly #clusters: readonly string[];
  #check = (): void => {};

  private constructor(targets: readonly GroundTarget[]) {
    this.#clusters = targets.map(({ name }) => name);
  }

  static async open(targets: readonly GroundTarget[], namespace: string): Promise<RouteWatch> {
    const watch = new RouteWatch(targets);
    await Promise.all(
      targets.map(async ({ name, client }) => {
        const caches = createCaches({ client, clock, random: systemRandom });
        for (const kind of [ReplicaSet, VirtualService]) caches.declare<KubeObject>(kind, { namespace });
        caches.of(ReplicaSet).subscribe(({ object }) => watch.#scaled(name, object));
        caches.of(VirtualService).subscribe(({ object }) => watch.#routed(name, object));
        caches.start(watch.#stop.signal);
        await caches.synced(watch.#stop.signal);
      }),
    );
    return watch;
  }

  /** Resolves when the tag's pods are ready on so many clusters. */
  async untilReady(tag: string, clusters: number): Promise<void> {
    await this.#when((all) => all.filter(({ isReady }) => isReady).length >= clusters, tag);
  }

  /** Resolves when the tag has weight on every cluster, or on none: from its last ready ReplicaSet, and when it was. */
  async until(tag: string, is: "routed" | "unrouted"): Promise<{ readonly readyMs: number; readonly atMs: number }> {
    const all = await this.#when((seen) => seen.every(({ weight }) => weight > 0 === (is === "routed")), tag);
    const readyMs = Math.max(...all.map((seen) => seen.readyMs));
    return { readyMs, atMs: Math.max(...all.map((seen) => (is === "routed" ? seen.routedMs : seen.unroutedMs))) };
  }

  async #when(isSo: (all: readonly Seen[]) => boolean, tag: string): Promise<readonly Seen[]> {
    const all = (): readonly Seen[] => this.#clusters.map((cluster) => this.#of(cluster, tag));
    await new Promise<void>((resolve) => {
      this.#check = () => {
        if (isSo(all())) resolve();
      };
      this.#check();
    });
    return all();
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

function now(): number {
  return performance.now();
}
