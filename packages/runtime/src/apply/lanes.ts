import type { Clock, Random, Timer } from "@chaski/clock";
import { isEqualJson, stableJson } from "@chaski/kube";
import type { ClusterResult, Entry, EntryResult } from "../decision/index.ts";
import { AppliedMemory } from "./applied-memory.ts";

const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 60_000;

/** Undefined results: it was cut short, because a later decision came or we may no longer write. */
export type LaneWork = (
  memory: AppliedMemory,
  isSuperseded: () => boolean,
) => Promise<readonly EntryResult[] | undefined>;

interface Offer {
  readonly work: LaneWork;
  readonly entries: readonly Entry[];
}

export interface LaneOptions {
  readonly cluster: string;
  readonly clock: Clock;
  readonly random: Random;
  /** The result differs from the last one, or it is time to decide about a failure again. */
  readonly wake: () => void;
  /** Every attempt, whatever came of it. */
  readonly onResult?: (result: ClusterResult) => void;
}

/** One owner's work on one cluster: one at a time, the latest decision wins, nobody waits for it. */
export class Lane {
  readonly #options: LaneOptions;
  readonly #memory = new AppliedMemory();
  #next: Offer | undefined;
  #current: Offer | undefined;
  #isSuperseded = false;
  #running: Promise<void> | undefined;
  #result: ClusterResult | undefined;
  #failures = 0;
  #retry: Timer | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  get result(): ClusterResult | undefined {
    return this.#result;
  }

  /** What wants the same as the work in hand does not interrupt it, and comes after it: others may have interfered. */
  offer(work: LaneWork, entries: readonly Entry[]): void {
    this.#next = { work, entries };
    this.#isSuperseded = this.#current !== undefined && !isEqualJson(this.#current.entries, entries);
    this.#retry?.cancel();
    this.#running ??= this.#run();
  }

  /** Takes nothing more, and resolves when the work in hand is done. */
  async stop(): Promise<void> {
    this.#retry?.cancel();
    this.#next = undefined;
    this.#isSuperseded = false;
    await this.#running;
    this.#retry?.cancel();
  }

  async #run(): Promise<void> {
    for (let offer = this.#next; offer; offer = this.#next) {
      this.#current = offer;
      this.#next = undefined;
      this.#isSuperseded = false;
      const results = await offer.work(this.#memory, () => this.#isSuperseded);
      if (results) this.#finish(results);
    }
    this.#current = undefined;
    this.#running = undefined;
  }

  #finish(entries: readonly EntryResult[]): void {
    const { cluster, clock, wake, onResult } = this.#options;
    const before = this.#result;
    this.#result = { cluster, atMs: clock.now(), entries };
    onResult?.(this.#result);
    this.#failures = entries.some(({ outcome }) => outcome === "failed") ? this.#failures + 1 : 0;
    if (this.#failures > 0) this.#retryLater();
    if (before === undefined || problemsOf(before.entries) !== problemsOf(entries)) wake();
  }

  /** A failure is not tried again as it was: the owner decides anew, on what is then known. */
  #retryLater(): void {
    const { clock, random, wake } = this.#options;
    const delayMs = Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** (this.#failures - 1));
    this.#retry = clock.after(delayMs * (0.5 + random() / 2), wake);
  }
}

/** What a decision may want to know of a result; that all went well shows in the caches. */
function problemsOf(entries: readonly EntryResult[]): string {
  return stableJson(entries.filter(({ outcome }) => !["written", "unchanged", "kept", "removed"].includes(outcome)));
}
