import type { Random } from "@chaski/clock";
import type { Logger } from "../log/logger.ts";
import { type QueueObserver, WorkQueue, type WorkQueueOptions } from "../queue/work-queue.ts";
import type { AnyController, Urgency } from "./controller.ts";
import { type Outcome, outcomeOfError, Requeue } from "./outcome.ts";
import { type PassDependencies, Reconciler } from "./pass.ts";
import { startWakes, waitMs } from "./wakes.ts";

export interface PassObserver {
  onWorkers(count: number): void;
  onPassStart(): void;
  onPassEnd(outcome: Outcome["type"], tookMs: number): void;
}

export interface ControllerDependencies extends PassDependencies {
  readonly random: Random;
  readonly log: Logger;
  readonly observer?: PassObserver;
  readonly queueObserver?: QueueObserver;
  readonly queue?: Pick<WorkQueueOptions, "backoff" | "rate">;
  /** Asked before every pass: a replica that is not leading decides nothing. */
  readonly isLeading?: () => boolean;
  readonly passDeadlineMs?: number;
}

const PASS_DEADLINE_MS = 60_000;

/** Runs one definition: from events to keys, from keys to passes, from outcomes to the next time. */
export class ControllerLoop {
  readonly definition: AnyController;
  readonly queue: WorkQueue;
  readonly #dependencies: ControllerDependencies;
  readonly #reconciler: Reconciler;
  readonly #requeue: Requeue;
  readonly #stop = new AbortController();
  /** Passes under way. */
  readonly #inHand = new Set<AbortController>();
  #stopWakes: (() => void) | undefined;
  #workers: Promise<void> | undefined;

  constructor(definition: AnyController, dependencies: ControllerDependencies) {
    this.definition = definition;
    this.#dependencies = dependencies;
    const { clock, queue, queueObserver } = dependencies;
    this.queue = new WorkQueue({ clock, ...queue, ...(queueObserver ? { observer: queueObserver } : {}) });
    this.#requeue = new Requeue(this.queue, waitMs(definition, "soon"));
    this.#reconciler = new Reconciler(definition, dependencies);
  }

  /** Begins to collect keys. Before the caches start, so that their first list is seen. */
  listen(): void {
    const { fleet, deliveryName } = this.#dependencies;
    this.#stopWakes ??= startWakes({ definition: this.definition, fleet, deliveryName, queue: this.queue });
  }

  /** Wakes one owner, for reasons that are in no cache. */
  wake(key: string, urgency: Urgency = "soon"): void {
    this.queue.addAfter(key, waitMs(this.definition, urgency));
  }

  /** Starts the workers when this resolves: not before every cache of the delivery cluster has synced. */
  start(ready: Promise<void>): void {
    this.listen();
    const count = this.definition.concurrency ?? 1;
    this.#dependencies.observer?.onWorkers(count);
    this.#workers ??= this.#startWorkers(count, ready);
  }

  /** Takes no more work and waits for what is in hand, until the signal says that nobody waits any longer. */
  async stop(abandon?: AbortSignal): Promise<void> {
    this.#stop.abort();
    this.#stopWakes?.();
    this.queue.shutDown();
    if (abandon) await Promise.race([this.#workers, this.#abandonAt(abandon)]);
    else await this.#workers;
  }

  /** Aborts what is in hand when the signal does. */
  #abandonAt(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const onAbort = (): void => {
      for (const pass of this.#inHand) pass.abort(signal.reason);
      resolve();
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    return promise;
  }

  async #startWorkers(count: number, ready: Promise<void>): Promise<void> {
    const stopped = new Promise((resolve) => this.#stop.signal.addEventListener("abort", resolve, { once: true }));
    const isReady = await Promise.race([
      ready.then(
        () => true,
        () => false,
      ),
      stopped.then(() => false),
    ]);
    if (!isReady) return;
    await Promise.all(Array.from({ length: count }, () => this.#work()));
  }

  async #work(): Promise<void> {
    for (;;) {
      // Without waiting where a key is at hand: a promise for each would halve the queue's rate.
      const key = this.queue.take() ?? (await this.queue.get());
      if (key === undefined || this.#stop.signal.aborted) return;
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
    const pass = new AbortController();
    const deadline = clock.after(passDeadlineMs, () => pass.abort(tooLate(passDeadlineMs)));
    this.#inHand.add(pass);
    // All that has woken the key so far is in the caches that are now read: no need to be woken by it once more.
    const onGather = (): void => this.queue.cancelDelayed(key);
    try {
      const outcome = await this.#reconciler.reconcile({ key, traceId, signal: pass.signal, onGather });
      report(passLog, outcome);
      return outcome;
    } catch (error) {
      passLog.error("the pass failed", { error, failures: this.queue.failures(key) + 1 });
      return outcomeOfError(error);
    } finally {
      deadline.cancel();
      this.#inHand.delete(pass);
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

function tooLate(limitMs: number): DOMException {
  return new DOMException(`not finished within ${limitMs} ms`, "TimeoutError");
}

function report(log: Logger, outcome: Outcome): void {
  if (outcome.type === "stalled") log.warn("stalled until the object changes", { ...outcome.stall });
  else log.debug("the pass ended", { outcome: outcome.type });
}
