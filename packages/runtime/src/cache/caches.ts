import type { Clock, Random } from "@chaski/clock";
import { apiVersionOf, type Key, type Kind, type KubeObject, resourceName } from "@chaski/kube";
import type { Client, Selection } from "../client/client.ts";
import type { CacheOptions, ClusterCaches, KindCache, WriteOutcome } from "./cache.ts";
import { Definitions } from "./definitions.ts";
import { Informer } from "./informer.ts";
import { REFLECTOR_TIMINGS, type ReflectorTimings } from "./reflector-timings.ts";
import type { CacheFact, CacheReport } from "./report.ts";

export interface CachesOptions {
  readonly client: Pick<Client, "cluster" | "of">;
  readonly clock: Clock;
  readonly random: Random;
  readonly report?: CacheReport;
  /** Freezes every object deeply: for tests, to find whoever changes what is shared. */
  readonly isFrozen?: boolean;
  readonly timings?: Partial<ReflectorTimings>;
}

/** The caches of one cluster: one shared watch per kind and restriction. */
export function createCaches(options: CachesOptions): ClusterCaches {
  return new DeclaredCaches(options);
}

class DeclaredCaches implements ClusterCaches {
  readonly #options: CachesOptions;
  /** By kind, then by restriction. */
  readonly #informers = new Map<string, Map<string, Informer<KubeObject>>>();
  /** Those that were asked for without a restriction, which happens many times in every pass. */
  readonly #found = new Map<Kind, Informer<KubeObject>>();
  readonly #waiting = new Set<() => void>();
  readonly #definitions = new Definitions({
    informer: (kind) => this.#informer(kind, { isMetadataOnly: true }, () => {}),
    changed: (name) => this.#look(name),
  });
  #signal: AbortSignal | undefined;
  #running: Promise<unknown> | undefined;

  constructor(options: CachesOptions) {
    this.#options = options;
  }

  declare<T extends KubeObject>(kind: Kind<T>, options: CacheOptions<T> = {}): void {
    if (this.#running) throw new Error(`${kind.kind} was declared after the caches of ${this.#cluster} had started`);
    const ofKind = this.#ofKind(kind);
    const known = ofKind.get(restrictionOf(options)) as Informer<T> | undefined;
    if (known) return known.extend(options);
    // Informers are invariant in T; of() gives back what declare() was given.
    ofKind.set(
      restrictionOf(options),
      this.#informer(kind, options, (fact) => this.#heard(kind, fact)) as unknown as Informer<KubeObject>,
    );
    this.#informers.set(nameOf(kind), ofKind);
  }

  of<T extends KubeObject>(kind: Kind<T>, restriction?: Selection): KindCache<T> {
    const known = restriction ? undefined : this.#found.get(kind);
    return (known ?? this.#find(kind, restriction)) as unknown as Informer<T>;
  }

  #find(kind: Kind, restriction?: Selection): Informer<KubeObject> {
    const ofKind = this.#ofKind(kind);
    const found = restriction ? ofKind.get(restrictionOf(restriction)) : onlyOne(ofKind);
    if (!found) throw new Error(this.#whyNot(kind, [...ofKind.keys()]));
    if (!restriction && this.#running) this.#found.set(kind, found);
    return found;
  }

  start(signal: AbortSignal): void {
    this.#signal = signal;
    this.#running = Promise.all(this.#all().map((informer) => informer.run(signal)));
  }

  async stopped(): Promise<void> {
    await this.#running;
    await this.#definitions.stopped();
  }

  get hasSynced(): boolean {
    // Asked for every cluster in every pass, several times.
    for (const ofKind of this.#informers.values())
      for (const { hasSynced, isServed } of ofKind.values()) if (!hasSynced && isServed) return false;
    return true;
  }

  synced(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (then: () => void): void => {
        this.#waiting.delete(check);
        signal.removeEventListener("abort", onAbort);
        then();
      };
      const check = (): void => {
        if (this.hasSynced) settle(resolve);
      };
      const onAbort = (): void => settle(() => reject(signal.reason as Error));
      this.#waiting.add(check);
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) onAbort();
      else check();
    });
  }

  wrote(kind: Kind, key: Key, outcome: WriteOutcome): void {
    for (const informer of this.#ofKind(kind).values()) informer.wrote(key, outcome);
  }

  get #cluster(): string {
    return this.#options.client.cluster;
  }

  #informer<T extends KubeObject>(
    kind: Kind<T>,
    options: CacheOptions<T>,
    report: (fact: CacheFact) => void,
  ): Informer<T> {
    const { client, clock, random, isFrozen = false, timings } = this.#options;
    return new Informer({
      ...options,
      kind,
      clock,
      random,
      isFrozen,
      client: client.of(kind),
      timings: { ...REFLECTOR_TIMINGS, ...timings },
      report,
      isLookedFor: () => this.#definitions.watches(kind),
      progressed: () => {
        for (const check of this.#waiting) check();
      },
    });
  }

  #heard(kind: Kind, fact: CacheFact): void {
    this.#report(kind, fact);
    if (fact.type === "not served" && this.#signal) this.#definitions.lookFor(kind, this.#signal);
  }

  #look(name: string): void {
    for (const informer of this.#all()) if (resourceName(informer.kind) === name) informer.look();
  }

  /** What listens must not be able to stop a watch. */
  #report(kind: Kind, fact: CacheFact): void {
    try {
      this.#options.report?.({ cluster: this.#cluster, kind }, fact);
    } catch {}
  }

  #ofKind(kind: Kind): Map<string, Informer<KubeObject>> {
    return this.#informers.get(nameOf(kind)) ?? new Map();
  }

  #all(): readonly Informer<KubeObject>[] {
    return [...this.#informers.values()].flatMap((ofKind) => [...ofKind.values()]);
  }

  #whyNot(kind: Kind, declared: readonly string[]): string {
    const name = `${nameOf(kind)} in the caches of ${this.#cluster}`;
    return declared.length === 0
      ? `${name} was not declared`
      : `${name} is declared as ${declared.map((restriction) => restriction || "all").join(" and ")}; say which`;
  }
}

function nameOf(kind: Kind): string {
  return `${apiVersionOf(kind)} ${kind.kind}`;
}

function restrictionOf({ namespace, labelSelector, fieldSelector, isMetadataOnly }: Selection): string {
  return [
    isMetadataOnly ? "metadata" : [],
    namespace === undefined ? [] : `namespace ${namespace}`,
    labelSelector === undefined ? [] : `labels ${labelSelector}`,
    fieldSelector === undefined ? [] : `fields ${fieldSelector}`,
  ]
    .flat()
    .join(", ");
}

function onlyOne<V>(values: ReadonlyMap<string, V>): V | undefined {
  return values.size === 1 ? [...values.values()][0] : undefined;
}
