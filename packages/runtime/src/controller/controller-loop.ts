import type { Random, Timer } from "@chaski/clock";
import { keyOf } from "@chaski/kube";
import type { Logger } from "../log/logger.ts";
import { type QueueObserver, WorkQueue, type WorkQueueOptions } from "../queue/work-queue.ts";
import type { AnyController } from "./controller.ts";
import { type Outcome, Requeue } from "./outcome.ts";
import type { OwnerOf } from "./ownership.ts";
import { type PassDependencies, Reconciler } from "./pass.ts";
import { COALESCE_MS, startWakes } from "./wakes.ts";

export interface PassObserver {
  onWorkers(count: number): void;
  onPassStart(): void;
  onPassEnd(outcome: Outcome["type"], tookMs: number): void;
}

export interface ControllerDependencies extends PassDependencies {
  readonly random: Random;
  readonly ownerOf: OwnerOf;
  readonly log: Logger;
  readonly observer?: PassObserver;
  readonly queueObserver?: QueueObserver;
  readonly queue?: Pick<WorkQueueOptions, "backoff" | "rate">;
  /** Asked before every pass: a replica that is not leading decides nothing. */
  readonly isLeading?: () => boolean;
  readonly passDeadlineMs?: number;
  /** How often every owner is looked at although nothing happened; at least 1 s. */
  readonly resyncMs?: number;
}

export const PASS_DEADLINE_MS = 60_000;
export const RESYNC_MS = 10 * 3_600_000;
const RESYNC_MS_MIN = 1_000;
const SYNC_POLL_MS = 20;

/** Runs one definition: from events to keys, from keys to passes, from outcomes to the next time. */
export class ControllerLoop {
  readonly definition: AnyController;
  readonly queue: WorkQueue;
  readonly #dependencies: ControllerDependencies;
  readonly #reconciler: Reconciler;
  readonly #requeue: Requeue;
  readonly #stop = new AbortController();
  readonly #abandon = new AbortController();
  #stopWakes: (() => void) | undefined;
  #workers: Promise<void> | undefined;
  #resyncTimer: Timer | undefined;

  constructor(definition: AnyController, dependencies: ControllerDependencies) {
    this.definition = definition;
    this.#dependencies = dependencies;
    const { clock, queue, queueObserver } = dependencies;
    this.queue = new WorkQueue({ clock, ...queue, ...(queueObserver ? { observer: queueObserver } : {}) });
    this.#requeue = new Requeue(this.queue);
    this.#reconciler = new Reconciler(definition, dependencies);
  }

  /** Begins to collect keys. Before the caches start, so that their first list is seen. */
  listen(): void {
    const { fleet, ownerOf } = this.#dependencies;
    this.#stopWakes ??= startWakes({ definition: this.definition, fleet, ownerOf, queue: this.queue });
  }

  /** Wakes one owner, for reasons that are in no cache. */
  wake(key: string): void {
    this.queue.addAfter(key, COALESCE_MS);
  }

  /** Starts the workers as soon as every cache that `hasSynced` speaks for is there. */
  start(hasSynced: () => boolean): void {
    this.listen();
    const count = this.definition.concurrency ?? 1;
    this.#dependencies.observer?.onWorkers(count);
    this.#workers ??= this.#startWorkers(count, hasSynced);
  }

  /** Takes no more work and waits for what is in hand, until the signal says that nobody waits any longer. */
  async stop(abandon?: AbortSignal): Promise<void> {
    this.#stop.abort();
    this.#stopWakes?.();
    this.#resyncTimer?.cancel();
    this.queue.shutDown();
    if (abandon) await Promise.race([this.#workers, this.#abandonAt(abandon)]);
    else await this.#workers;
  }

  /** Aborts what is in hand when the signal does. */
  #abandonAt(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const onAbort = (): void => {
      this.#abandon.abort(signal.reason);
      resolve();
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    return promise;
  }

  async #startWorkers(count: number, hasSynced: () => boolean): Promise<void> {
    while (!hasSynced() && !this.#stop.signal.aborted) await this.#dependencies.clock.sleep(SYNC_POLL_MS);
    this.#scheduleResync();
    await Promise.all(Array.from({ length: count }, () => this.#work()));
  }

  /** Guards against what no event tells: a bug, a missed wake rule. Reads the cache alone. */
  #scheduleResync(): void {
    const { clock, resyncMs = RESYNC_MS } = this.#dependencies;
    this.#resyncTimer = clock.after(Math.max(RESYNC_MS_MIN, resyncMs), () => {
      this.#resync();
      this.#scheduleResync();
    });
  }

  #resync(): void {
    const [delivery] = this.#dependencies.fleet.clusters;
    for (const { metadata } of delivery?.caches.of(this.definition.kind).list() ?? []) {
      this.queue.add(keyOf(metadata), "background");
    }
  }

  async #work(): Promise<void> {
    for (let key = await this.queue.get(); key !== undefined; key = await this.queue.get()) {
      if (this.#stop.signal.aborted) return;
      await this.#pass(key);
    }
  }

  async #pass(key: string): Promise<void> {
    const { clock, observer, isLeading } = this.#dependencies;
    if (isLeading && !isLeading()) return this.queue.done(key);
    observer?.onPassStart();
    const startedMs = clock.monotonic();
    const outcome = await this.#outcome(key);
    observer?.onPassEnd(outcome.type, clock.monotonic() - startedMs);
    this.#requeue.after(key, outcome, clock.now());
    this.queue.done(key);
  }

  /** No exception leaves a pass: it is the key's own failure, and nobody else's. */
  async #outcome(key: string): Promise<Outcome> {
    const { clock, log, passDeadlineMs = PASS_DEADLINE_MS } = this.#dependencies;
    const traceId = this.#newTraceId();
    const passLog = log.with({ controller: this.definition.name, key, traceId });
    const deadline = clock.deadline(passDeadlineMs);
    const signal = AbortSignal.any([deadline.signal, this.#abandon.signal]);
    // All that has woken the key so far is in the caches that are now read: no need to be woken by it once more.
    const onGather = (): void => this.queue.cancelDelayed(key);
    try {
      const outcome = await this.#reconciler.reconcile({ key, traceId, signal, onGather });
      report(passLog, outcome);
      return outcome;
    } catch (error) {
      passLog.error("the pass failed", { error, failures: this.queue.failures(key) + 1 });
      return { type: "retry", error };
    } finally {
      deadline.cancel();
    }
  }

  #newTraceId(): string {
    const { random } = this.#dependencies;
    return Array.from({ length: 4 }, () =>
      Math.floor(random() * 2 ** 32)
        .toString(16)
        .padStart(8, "0"),
    ).join("");
  }
}

function report(log: Logger, outcome: Outcome): void {
  if (outcome.type === "stalled") log.warn("stalled until the object changes", { ...outcome.stall });
  else log.debug("the pass ended", { outcome: outcome.type });
}
