import { keyOf, type Kind, type KubeObject, parseKey, Secret } from "@chaski/kube";
import type { Clock, Timer } from "@chaski/clock";
import type { Caches } from "../cache/cache.ts";
import { withoutContent } from "../cache/copied-content.ts";
import type { Client } from "../client/client.ts";
import { NotFound } from "../client/errors.ts";
import type { Logger } from "../log/logger.ts";
import type { CacheDeclaration } from "./cache-declaration.ts";
import { type ClusterDefinition, UNUSABLE, unusable } from "./definition.ts";

/** Content of a Secret, base64 as the API has it. */
export type SecretData = Readonly<Record<string, string>>;

/** Objects of the delivery cluster that define remote clusters, each with the credentials in the Secret of its name. */
export interface ClusterSource {
  readonly kind: Kind;
  /** False: not, or no longer, part of the fleet. */
  isMember(object: Readonly<KubeObject>): boolean;
  /** What it rejects with is that cluster's problem, and nobody else's; the message must hold no credential. */
  define(object: Readonly<KubeObject>, secret: SecretData | undefined): Promise<ClusterDefinition>;
}

/** The clusters that its objects name, by their keys. */
export function membersOf(source: ClusterSource, caches: Caches): readonly string[] {
  const objects = caches.of(source.kind).list();
  return objects.filter((object) => source.isMember(object)).map(({ metadata }) => keyOf(metadata));
}

export function sourceDeclarations(source: ClusterSource | undefined): readonly CacheDeclaration[] {
  if (!source) return [];
  return [
    { kind: source.kind, on: "delivery", options: {} },
    { kind: Secret, on: "delivery", options: { transform: withoutContent } },
  ];
}

export interface FollowOptions {
  readonly source: ClusterSource;
  readonly caches: Caches;
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  set(definitions: readonly ClusterDefinition[]): void;
}

const RETRY_MS = 2_000;

/** Keeps the remote clusters to what the source's objects say. A cluster is named by its object's key. */
export class ClusterFollower {
  readonly #options: FollowOptions;
  readonly #definitions = new Map<string, ClusterDefinition>();
  /** Keys that changed while they were being read. */
  readonly #reading = new Map<string, { isAgain: boolean }>();
  readonly #retries = new Map<string, Timer>();
  readonly #stops: (() => void)[] = [];
  #isStopped = false;

  constructor(options: FollowOptions) {
    this.#options = options;
    const { caches, source } = options;
    this.#stops.push(
      caches.of(source.kind).subscribe(({ object }) => this.#changed(keyOf(object.metadata))),
      caches.of(Secret).subscribe(({ object }) => this.#secretChanged(keyOf(object.metadata))),
    );
  }

  stop(): void {
    this.#isStopped = true;
    for (const stop of this.#stops) stop();
    for (const timer of this.#retries.values()) timer.cancel();
  }

  #secretChanged(key: string): void {
    if (this.#options.caches.of(this.#options.source.kind).get(key)) this.#changed(key);
  }

  #changed(key: string): void {
    const reading = this.#reading.get(key);
    if (reading) reading.isAgain = true;
    else void this.#follow(key);
  }

  async #follow(key: string): Promise<void> {
    const state = { isAgain: false };
    this.#reading.set(key, state);
    this.#retries.get(key)?.cancel();
    do {
      state.isAgain = false;
      await this.#define(key).catch((error: unknown) => this.#retryLater(key, error));
    } while (state.isAgain && !this.#isStopped);
    this.#reading.delete(key);
  }

  async #define(key: string): Promise<void> {
    const { caches, source } = this.#options;
    const object = caches.of(source.kind).get(key);
    if (!object || !source.isMember(object)) {
      if (this.#definitions.delete(key)) this.#publish();
      return;
    }
    const secret = await this.#readSecret(key);
    this.#definitions.set(key, await this.#definitionOf(key, object, secret));
    this.#publish();
  }

  async #definitionOf(key: string, object: KubeObject, secret: SecretData | undefined): Promise<ClusterDefinition> {
    try {
      return await this.#options.source.define(object, secret);
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error));
      this.#options.log.warn("a cluster can't be connected to as it is defined", { cluster: key, error: problem });
      const before = this.#definitions.get(key);
      const isUsable = before !== undefined && before.identity !== UNUSABLE;
      // A mistake in new credentials is no reason to let go of old ones that work; a Secret that is gone is.
      return isUsable && secret ? { ...before, problem: problem.message } : unusable(key, problem);
    }
  }

  async #readSecret(key: string): Promise<SecretData | undefined> {
    try {
      const { data = {} } = await this.#options.client.of(Secret).get(parseKey(key));
      return data;
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  #retryLater(key: string, error: unknown): void {
    this.#options.log.warn("a cluster's Secret can't be read", { cluster: key, error });
    if (!this.#isStopped)
      this.#retries.set(
        key,
        this.#options.clock.after(RETRY_MS, () => this.#changed(key)),
      );
  }

  #publish(): void {
    if (!this.#isStopped) this.#options.set([...this.#definitions.values()]);
  }
}
