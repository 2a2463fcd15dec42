import type { Clock, Random } from "@chaski/clock";
import { resourceName } from "@chaski/kube";
import type { ClusterCaches } from "../cache/cache.ts";
import type { CacheReport } from "../cache/report.ts";
import type { Client } from "../client/client.ts";
import { type ClientSettings, createClient } from "../client/create-client.ts";
import { ApiError, problemOf, Unauthorized } from "../client/errors.ts";
import { CircuitBreaker, isFromServer } from "./circuit-breaker.ts";
import type { ConnectedCluster, Reachability } from "./cluster.ts";
import type { ClusterDefinition } from "./definition.ts";
import { Heartbeat, PROBE_DEADLINE_MS } from "./heartbeat.ts";
import { type Link, RotatingLink } from "./rotating-link.ts";

/** Declares what is to be cached on the cluster; the caches are started by whoever called. */
export type CachesFactory = (client: Client, report: CacheReport) => ClusterCaches;

export interface LiveClusterSettings extends Pick<ClientSettings, "rateLimit" | "onRequest" | "userAgent"> {
  readonly clock: Clock;
  readonly random: Random;
  readonly createCaches: CachesFactory;
  /** Called when the cluster has become observed, stale or unreachable. */
  readonly onChange: (cluster: string) => void;
  /** New credentials do not work; the old ones stay in use, and the new ones are tried again. */
  readonly onRotationFailed?: (cluster: string, error: unknown) => void;
  readonly report?: CacheReport;
}

const ROTATION_RETRY_MS = 10_000;
const VERSION_RETRY_MS = 10_000;
/** Unlike `/livez`, refused to whom the server does not know: a wrong client certificate is not told otherwise. */
const WHO_MAY_DISCOVER = { method: "GET", path: "/api" } as const;

/** One cluster with its client, its caches and what is known of its reachability, from definition to stop. */
export class LiveCluster implements ConnectedCluster {
  readonly name: string;
  readonly client: Client;
  readonly caches: ClusterCaches;
  readonly #settings: LiveClusterSettings;
  readonly #link: RotatingLink;
  readonly #breaker: CircuitBreaker;
  readonly #heartbeat: Heartbeat;
  readonly #stop = new AbortController();
  #definition: ClusterDefinition;
  /** The last one that had other credentials than the one before. */
  #rotation: ClusterDefinition | undefined;
  #rotationFailure: string | undefined;
  #version: string | undefined;

  constructor(definition: ClusterDefinition, settings: LiveClusterSettings) {
    this.name = definition.name;
    this.#definition = definition;
    this.#settings = settings;
    this.#link = new RotatingLink(settings.clock, definition.open());
    this.#breaker = new CircuitBreaker(this.#link, {
      onHeard: () => this.#heartbeat.heard(),
      onOpen: () => this.#heartbeat.suspect(),
    });
    this.client = this.#clientOver({ transport: this.#breaker, credentials: this.#link });
    this.caches = settings.createCaches(this.client, this.#report);
    this.#heartbeat = this.#startHeartbeat();
    this.caches.start(this.#stop.signal);
    this.caches.synced(this.#stop.signal).then(
      () => this.#heartbeat.check(),
      () => undefined,
    );
  }

  get definition(): ClusterDefinition {
    return this.#definition;
  }

  get reachability(): Reachability {
    return this.#heartbeat.reachability;
  }

  get problem(): string | undefined {
    return this.#rotationFailure ?? this.#definition.problem;
  }

  get version(): string | undefined {
    return this.#version;
  }

  /** New credentials for the same cluster: the old ones serve until the new ones have been tried. */
  redefine(definition: ClusterDefinition): void {
    const { fingerprint, problem } = this.#definition;
    this.#definition = definition;
    if (definition.fingerprint !== fingerprint) {
      this.#rotation = definition;
      void this.#tryRotation(definition);
    }
    if (definition.problem !== problem) this.#settings.onChange(this.name);
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error(`cluster ${this.name} is no longer part of the fleet`));
    this.#heartbeat.stop();
    await this.client.close();
    await this.caches.stopped();
  }

  async #tryRotation(definition: ClusterDefinition): Promise<void> {
    const link = definition.open();
    const isWanted = (): boolean => this.#rotation === definition && !this.#stop.signal.aborted;
    while (isWanted()) {
      const hasAnswered = await this.#isAdmitted(link);
      if (hasAnswered && isWanted()) {
        this.#tellRotation(undefined);
        return this.#link.switchTo(link);
      }
      await this.#settings.clock.sleep(ROTATION_RETRY_MS, this.#stop.signal).catch(() => undefined);
    }
    await link.transport.close().catch(() => undefined);
  }

  async #isAdmitted(link: Link): Promise<boolean> {
    try {
      await this.#clientOver(link).raw(WHO_MAY_DISCOVER, { signal: this.#stop.signal, deadlineMs: PROBE_DEADLINE_MS });
      return true;
    } catch (error) {
      if (this.#stop.signal.aborted) return false;
      this.#settings.onRotationFailed?.(this.name, error);
      this.#tellRotation(`its new credentials do not work, the old ones stay in use: ${problemOf(error)}`);
      return false;
    }
  }

  #tellRotation(failure: string | undefined): void {
    if (failure === this.#rotationFailure) return;
    this.#rotationFailure = failure;
    this.#settings.onChange(this.name);
  }

  /** A server that is restarted may be another version: asked whenever it can be observed again, until it answers. */
  #changed(): void {
    this.#settings.onChange(this.name);
    if (this.reachability.state === "observed") void this.#askVersion();
  }

  async #askVersion(): Promise<void> {
    const options = { signal: this.#stop.signal, deadlineMs: PROBE_DEADLINE_MS };
    const answer = await this.client.raw({ method: "GET", path: "/version" }, options).catch((error: unknown) => {
      // Who is refused is not let in by asking again.
      return error instanceof ApiError && error.next === "stall" ? "" : undefined;
    });
    if (answer === undefined) return this.#askVersionLater();
    const version = versionOf(answer);
    if (version === undefined || version === this.#version) return;
    this.#version = version;
    this.#settings.onChange(this.name);
  }

  async #askVersionLater(): Promise<void> {
    await this.#settings.clock.sleep(VERSION_RETRY_MS, this.#stop.signal).catch(() => undefined);
    if (!this.#stop.signal.aborted && this.reachability.state === "observed") await this.#askVersion();
  }

  #startHeartbeat(): Heartbeat {
    const prober = this.#clientOver({ transport: this.#link, credentials: this.#link });
    return new Heartbeat({
      clock: this.#settings.clock,
      hasSynced: () => this.caches.hasSynced,
      onChange: () => this.#changed(),
      onSilence: (cause) => this.#breaker.open(cause),
      probe: async (signal) => {
        await askWhetherAlive(prober, signal);
        this.#breaker.succeeded();
      },
    });
  }

  #clientOver(link: Link): Client {
    const { clock, random, rateLimit, onRequest, userAgent } = this.#settings;
    const { origin, impersonate } = this.#definition;
    return createClient({
      cluster: this.name,
      clock,
      random,
      ...link,
      ...(rateLimit && { rateLimit }),
      ...(onRequest && { onRequest }),
      ...(userAgent !== undefined && { userAgent }),
      ...(origin !== undefined && { origin }),
      ...(impersonate && { impersonate }),
    });
  }

  readonly #report: CacheReport = (source, fact) => {
    this.#settings.report?.(source, fact);
    if (fact.type === "failed") this.#heartbeat.troubled(resourceName(source.kind), problemOf(fact.error));
    if (fact.type === "heard" || fact.type === "listed" || fact.type === "not served") {
      this.#heartbeat.recovered(resourceName(source.kind));
    }
  };
}

function versionOf(answer: string): string | undefined {
  try {
    const { major, minor } = JSON.parse(answer) as { readonly major?: string; readonly minor?: string };
    return major && minor ? `${major}.${minor.replace(/\D+$/, "")}` : undefined;
  } catch {
    return undefined;
  }
}

/** Any answer of the API server will do, but for one that says that we may no longer look. */
async function askWhetherAlive(client: Client, signal: AbortSignal): Promise<void> {
  try {
    await client.raw({ method: "GET", path: "/livez" }, { signal, deadlineMs: PROBE_DEADLINE_MS });
  } catch (error) {
    const isAlive = error instanceof ApiError && error.status !== undefined && isFromServer(error.status);
    if (!isAlive || error instanceof Unauthorized) throw error;
  }
}
