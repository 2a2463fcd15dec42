import type { Clock, Timer } from "@chaski/clock";
import type { Reachability } from "./cluster.ts";
import { problemOf } from "../client/errors.ts";

const OBSERVED_WITHIN_MS = 15_000;
const STALE_WITHIN_MS = 60_000;
/** Early enough that an answer comes before the cluster counts as stale. */
const PROBE_AFTER_SILENCE_MS = 10_000;
const PROBE_EVERY_MS = 2_000;
export const PROBE_DEADLINE_MS = 4_000;

export interface HeartbeatSettings {
  readonly clock: Clock;
  /** Asks the cluster whether it lives; what it throws is the cause that people see. */
  readonly probe: (signal: AbortSignal) => Promise<void>;
  /** All that is watched there has been seen once. */
  readonly hasSynced: () => boolean;
  readonly onChange: () => void;
  /** A probe has failed, and the cluster is no longer observed. */
  readonly onSilence: (cause: string) => void;
}

interface Trouble {
  readonly sinceMs: number;
  readonly cause: string;
}

/** Follows whether one cluster is observed, stale or unreachable. Anything that arrives from it counts as a beat. */
export class Heartbeat {
  readonly #settings: HeartbeatSettings;
  readonly #stop = new AbortController();
  /** Watches that fail, by name: what they show grows old although the cluster lives. */
  readonly #troubles = new Map<string, Trouble>();
  #heardAtMs: number;
  #probeFailure: string | undefined;
  #isProbing = false;
  #isSuspect = false;
  #nextProbeAtMs: number;
  #state: Reachability["state"];
  #timer: Timer | undefined;

  constructor(settings: HeartbeatSettings) {
    this.#settings = settings;
    this.#heardAtMs = settings.clock.monotonic();
    this.#state = this.reachability.state;
    this.#nextProbeAtMs = this.#heardAtMs;
    this.#arm();
  }

  get reachability(): Reachability {
    const { sinceMs, cause } = this.#oldest();
    const ageMs = this.#settings.clock.monotonic() - sinceMs;
    const since = this.#settings.clock.now() - ageMs;
    if (ageMs >= STALE_WITHIN_MS) return { state: "unreachable", sinceMs: since, cause };
    if (ageMs >= OBSERVED_WITHIN_MS || !this.#settings.hasSynced()) return { state: "stale", sinceMs: since };
    return { state: "observed" };
  }

  heard(): void {
    this.#heardAtMs = this.#settings.clock.monotonic();
    this.#probeFailure = undefined;
    this.#isSuspect = false;
    if (this.#state !== "observed") this.check();
  }

  /** Calls fail: ask it soon, however recently it was heard. */
  suspect(): void {
    this.#isSuspect = true;
    this.#nextProbeAtMs = Math.max(this.#nextProbeAtMs, this.#settings.clock.monotonic() + PROBE_EVERY_MS);
    this.#arm();
  }

  /** One of the cluster's watches fails. */
  troubled(name: string, cause: string): void {
    const sinceMs = this.#troubles.get(name)?.sinceMs ?? this.#settings.clock.monotonic();
    this.#troubles.set(name, { sinceMs, cause });
    this.#arm();
  }

  recovered(name: string): void {
    if (this.#troubles.delete(name)) this.check();
  }

  /** Tells the listener if the state has changed. */
  check(): void {
    const { state } = this.reachability;
    if (state === this.#state) return;
    this.#state = state;
    this.#giveUp();
    this.#settings.onChange();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#stop.abort(new Error("the cluster is no longer followed"));
  }

  #oldest(): Trouble {
    const silence = { sinceMs: this.#heardAtMs, cause: this.#probeFailure ?? "nothing was heard from it" };
    return [...this.#troubles.values()].reduce(
      (oldest, each) => (each.sinceMs < oldest.sinceMs ? each : oldest),
      silence,
    );
  }

  #tick(): void {
    this.check();
    const nowMs = this.#settings.clock.monotonic();
    if (nowMs >= this.#probeAtMs() && !this.#isProbing) void this.#probe(nowMs);
    this.#arm();
  }

  async #probe(nowMs: number): Promise<void> {
    this.#isProbing = true;
    this.#nextProbeAtMs = nowMs + PROBE_EVERY_MS;
    try {
      await this.#settings.probe(this.#stop.signal);
    } catch (error) {
      this.#probeFailure = problemOf(error);
      this.#giveUp();
    } finally {
      this.#isProbing = false;
    }
  }

  #giveUp(): void {
    if (this.#probeFailure === undefined || this.reachability.state === "observed") return;
    this.#settings.onSilence(this.#probeFailure);
  }

  #probeAtMs(): number {
    const silentAtMs = this.#isSuspect ? 0 : this.#heardAtMs + PROBE_AFTER_SILENCE_MS;
    return Math.max(silentAtMs, this.#nextProbeAtMs);
  }

  /** One timer, for whatever comes first: the next probe, or the next state if nothing is heard until then. */
  #arm(): void {
    this.#timer?.cancel();
    if (this.#stop.signal.aborted) return;
    const nowMs = this.#settings.clock.monotonic();
    const { sinceMs } = this.#oldest();
    const dueAtMs = [this.#probeAtMs(), sinceMs + OBSERVED_WITHIN_MS, sinceMs + STALE_WITHIN_MS].filter(
      (at) => at > nowMs,
    );
    const delayMs = dueAtMs.length === 0 ? PROBE_EVERY_MS : Math.min(...dueAtMs) - nowMs;
    this.#timer = this.#settings.clock.after(delayMs, () => this.#tick());
  }
}
