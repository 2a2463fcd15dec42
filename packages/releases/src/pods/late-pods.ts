// Pods are in no cache: a fleet has too many, and nobody asks about those that are well. Where a ReplicaSet has fewer
// ready ones than it should, its own are listed now and then, and the release is woken with what was found.
import { releaseKeys } from "@chaski/api";
import type { Clock, Timer } from "@chaski/clock";
import { Pod } from "@chaski/kube";
import type { Client } from "@chaski/runtime";
import { type PodTrouble, troublesIn } from "./pod-trouble.ts";

/** The namespace of a release on one cluster. */
export interface PodPlace {
  readonly cluster: string;
  readonly namespace: string;
  /** Who is woken: the ReleaseManager as `namespace/name`. */
  readonly release: string;
}

/** Most pods become ready by then, and nobody has to look. */
const FIRST_LOOK_MS = 10_000;
const LONGEST_WAIT_MS = 60_000;
const PLACES_MAX = 200;
/** More of the same say nothing new. */
const PODS_MAX = 100;
const DEADLINE_MS = 10_000;

/** Where it looks, and whom it tells. */
export interface PodFleet {
  clientOf(cluster: string): Client | undefined;
  /** There was a look on behalf of this ReleaseManager (`namespace/name`). */
  onLook(release: string): void;
}

interface Look extends PodPlace {
  readonly tag: string;
  troubles: readonly PodTrouble[];
  /** Whether anybody has asked since the last look. */
  isWanted: boolean;
  timer: Timer;
}

type Looks = Map<string, Look>;

export class LatePods {
  readonly #clock: Clock;
  /** By cluster and release, then by tag. */
  readonly #looks = new Map<string, Looks>();
  readonly #stop = new AbortController();
  #fleet: PodFleet | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** From here on it can look. */
  attach(fleet: PodFleet): Disposable {
    this.#fleet = fleet;
    return { [Symbol.dispose]: () => this.#end() };
  }

  /** What the last look has found about these tags, which are late. Asking makes it look, as long as somebody asks. */
  troublesOf(place: PodPlace, tags: readonly string[]): Readonly<Record<string, readonly PodTrouble[]>> {
    const here = this.#looks.get(keyOf(place)) ?? new Map<string, Look>();
    for (const look of [...here.values()].filter(({ tag }) => !tags.includes(tag))) this.#forget(look, here);
    return Object.fromEntries(tags.map((tag) => [tag, this.#ask(place, tag, here)]));
  }

  #ask(place: PodPlace, tag: string, here: Looks): readonly PodTrouble[] {
    const look = here.get(tag) ?? this.#begin(place, tag, here);
    if (look) look.isWanted = true;
    return look?.troubles ?? [];
  }

  #begin(place: PodPlace, tag: string, here: Looks): Look | undefined {
    if (!this.#fleet || this.#stop.signal.aborted || this.#looks.size >= PLACES_MAX) return undefined;
    const timer = this.#clock.after(FIRST_LOOK_MS, () => void this.#look(look, here, FIRST_LOOK_MS));
    const look: Look = { ...place, tag, troubles: [], isWanted: true, timer };
    here.set(tag, look);
    this.#looks.set(keyOf(place), here);
    return look;
  }

  #forget(look: Look, here: Looks): void {
    look.timer.cancel();
    here.delete(look.tag);
    if (here.size === 0) this.#looks.delete(keyOf(look));
  }

  async #look(look: Look, here: Looks, waitedMs: number): Promise<void> {
    if (!look.isWanted) return this.#forget(look, here);
    look.isWanted = false;
    look.troubles = (await this.#find(look)) ?? look.troubles;
    if (here.get(look.tag) !== look) return;
    const waitMs = Math.min(2 * waitedMs, LONGEST_WAIT_MS);
    look.timer = this.#clock.after(waitMs, () => void this.#look(look, here, waitMs));
    this.#fleet?.onLook(look.release);
  }

  /** Undefined where nobody answers: that is told by whoever watches the cluster. */
  async #find({ cluster, namespace, tag }: Look): Promise<readonly PodTrouble[] | undefined> {
    const labelSelector = `${releaseKeys.labels.tag}=${tag}`;
    const options = { namespace, labelSelector, limit: PODS_MAX, deadlineMs: DEADLINE_MS, signal: this.#stop.signal };
    try {
      const pods = await this.#fleet?.clientOf(cluster)?.of(Pod).list(options);
      return pods && troublesIn(pods.items);
    } catch {
      return undefined;
    }
  }

  #end(): void {
    this.#stop.abort(new Error("stopped"));
    for (const here of this.#looks.values()) for (const look of here.values()) this.#forget(look, here);
  }
}

function keyOf({ cluster, release }: PodPlace): string {
  return `${cluster} ${release}`;
}
