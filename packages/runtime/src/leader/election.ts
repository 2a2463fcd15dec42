import type { Clock, Random } from "@chaski/clock";
import type { Key, Lease } from "@chaski/kube";
import type { KindClient } from "../client/client.ts";
import { AlreadyExists, Conflict, NotFound } from "../client/errors.ts";
import { newLease, releasedLease, renewedLease } from "./lease-record.ts";
import type { Standing } from "./standing.ts";

export interface ElectionTimings {
  /** How long the others wait after the last renewal that they saw. */
  readonly leaseMs: number;
  /** How long after the last renewal that succeeded the holder may act. Shorter: it stops before another can start. */
  readonly renewDeadlineMs: number;
  readonly retryMs: number;
}

export const ELECTION_TIMINGS: ElectionTimings = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 };

export interface ElectionOptions {
  readonly leases: Pick<KindClient<Lease>, "get" | "create" | "update">;
  readonly key: Key;
  /** Unique to the process, such as the pod's name and a random part. */
  readonly identity: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly standing: Standing;
  readonly timings?: ElectionTimings;
  onElected(): void;
  /** Who holds the lease, when that changes or an attempt fails. */
  onNews?(news: ElectionNews): void;
}

export interface ElectionNews {
  readonly holder?: string;
  readonly error?: unknown;
}

const RETRY_JITTER = 0.2;

/**
 * One candidacy: waits for the lease, keeps it, and ends by releasing or losing it.
 *
 * No clock of another machine is trusted. A foreign lease ends when its record has not changed for its duration on
 * our own monotonic clock; ours ends `renewDeadlineMs` after we *sent* the last renewal that succeeded.
 */
export class Election {
  readonly #options: ElectionOptions;
  readonly #timings: ElectionTimings;
  #lease: Lease | undefined;
  #observedVersion: string | undefined;
  #observedAtMs = 0;
  #validUntilMs = -Infinity;

  constructor(options: ElectionOptions) {
    this.#options = options;
    this.#timings = options.timings ?? ELECTION_TIMINGS;
  }

  /** Runs until the signal aborts (then the lease is released) or the lease is lost. */
  async run(signal: AbortSignal): Promise<"released" | "lost"> {
    while (!signal.aborted && !(await this.#attempt())) await this.#pause(signal);
    const wasElected = this.#isHeld;
    if (wasElected) this.#options.onElected();
    await this.#keep(signal);
    const isLost = wasElected && !this.#isHeld;
    this.#options.standing.end();
    if (wasElected && !isLost) await this.#release();
    return isLost ? "lost" : "released";
  }

  /** May we act? Counted from when we sent the last renewal that succeeded. */
  get #isHeld(): boolean {
    return this.#options.clock.monotonic() < this.#validUntilMs;
  }

  /** Somebody else's, and not known to have ended: its record changed within its duration, on our own clock. */
  get #isForeign(): boolean {
    const { holderIdentity = "", leaseDurationSeconds = 0 } = this.#lease?.spec ?? {};
    if (holderIdentity === "" || holderIdentity === this.#options.identity) return false;
    return this.#options.clock.monotonic() < this.#observedAtMs + leaseDurationSeconds * 1_000;
  }

  /** A standing that has lapsed is not renewed any more, not even if nobody else took the lease. */
  async #keep(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#isHeld) {
      await this.#pause(signal);
      if (!signal.aborted && this.#isHeld) await this.#attempt();
    }
  }

  async #pause(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    const delayMs = this.#timings.retryMs * (1 + RETRY_JITTER * random());
    const leftMs = this.#isHeld ? this.#validUntilMs - clock.monotonic() : Infinity;
    await clock.sleep(Math.min(delayMs, leftMs), signal).catch(() => {});
  }

  /** Whether we hold the lease now. A failed attempt is followed by another one soon. */
  async #attempt(): Promise<boolean> {
    try {
      if (!this.#isHeld || this.#lease === undefined) await this.#read();
      if (this.#isForeign) this.#validUntilMs = -Infinity;
      else await this.#claim();
    } catch (error) {
      if (isConflict(error)) this.#lease = undefined;
      this.#options.onNews?.({ error });
    }
    return this.#isHeld;
  }

  async #read(): Promise<void> {
    const { leases, key, clock } = this.#options;
    this.#lease = await leases.get(key, { deadlineMs: this.#callDeadlineMs }).catch(undefinedIfMissing);
    const version = this.#lease?.metadata.resourceVersion;
    if (version === this.#observedVersion) return;
    this.#observedVersion = version;
    this.#observedAtMs = clock.monotonic();
    this.#options.onNews?.({ holder: this.#lease?.spec.holderIdentity ?? "" });
  }

  async #claim(): Promise<void> {
    const { leases, key, clock, identity, standing } = this.#options;
    const claim = { identity, leaseMs: this.#timings.leaseMs, nowMs: clock.now() };
    const sentAtMs = clock.monotonic();
    const options = { deadlineMs: this.#callDeadlineMs };
    this.#lease = this.#lease
      ? await leases.update(renewedLease(this.#lease, claim), options)
      : await leases.create(newLease(key, claim), options);
    this.#observedVersion = this.#lease.metadata.resourceVersion;
    this.#validUntilMs = sentAtMs + this.#timings.renewDeadlineMs;
    standing.extend(this.#validUntilMs - clock.monotonic());
  }

  async #release(): Promise<void> {
    if (!this.#lease) return;
    const { leases, clock } = this.#options;
    try {
      await leases.update(releasedLease(this.#lease, clock.now()), { deadlineMs: this.#callDeadlineMs });
    } catch (error) {
      this.#options.onNews?.({ error });
    }
  }

  get #callDeadlineMs(): number {
    return this.#timings.renewDeadlineMs / 2;
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error;
}

/** What we know of the lease is out of date. */
function isConflict(error: unknown): boolean {
  return error instanceof Conflict || error instanceof AlreadyExists || error instanceof NotFound;
}
