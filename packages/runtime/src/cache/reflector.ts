import type { Clock, Random } from "@chaski/clock";
import type { KubeObject } from "@chaski/kube";
import type { KindClient, Selection, WatchEvent, WatchOptions } from "../client/client.ts";
import { Attempt, SilentWatchError } from "./attempt.ts";
import { Backoff } from "./backoff.ts";
import { statusOf } from "./failure.ts";
import type { Intake } from "./intake.ts";
import type { ReflectorTimings } from "./reflector-timings.ts";
import type { CacheFact } from "./report.ts";

/** A kind is served a moment after its definition says so. */
const LOOK_AGAIN_MS = [100, 200, 400, 800, 1_600, 3_200];

const PAGE_SIZE = 500;
const SHORTEST_WATCH_MS = 1_000;
const INITIAL_EVENTS_END = "k8s.io/initial-events-end";

export interface ReflectorOptions<T extends KubeObject> {
  readonly client: Pick<KindClient<T>, "pages" | "watch">;
  readonly selection: Selection;
  readonly intake: Intake<T>;
  readonly clock: Clock;
  readonly random: Random;
  readonly timings: ReflectorTimings;
  readonly report: (fact: CacheFact) => void;
  /** Called when the intake has got further, and when the kind turns out not to be served. */
  readonly progressed: () => void;
  /** Whether `look` will be called when the kind may have come to be served. */
  readonly isLookedFor: () => boolean;
}

class RelistWantedError extends Error {}
class HistoryLostError extends Error {}
class StreamingListUnknownError extends Error {}

/** Lists, then watches, for ever: whatever goes wrong is reported and tried again. */
export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #backoff: Backoff;
  #attempt: Attempt | undefined;
  #isStreamingRefused = false;
  #notServedAnswers = 0;
  #looks = LOOK_AGAIN_MS.length;
  #pause = new AbortController();

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#backoff = new Backoff(options.timings.backoff, options.random);
  }

  get isServed(): boolean {
    return this.#notServedAnswers === 0;
  }

  /** Ends when the signal aborts, never before. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, timings } = this.#options;
    while (!signal.aborted) {
      const attempt = new Attempt(clock, timings.silenceMs, signal);
      this.#attempt = attempt;
      const delayMs = await this.#try(attempt, signal).catch((error: unknown) => this.#fail(attempt, error));
      attempt.close();
      if (delayMs > 0) await this.#rest(delayMs, signal);
    }
  }

  /** A kind that is not served may be so from now on. */
  look(): void {
    this.#looks = 0;
    if (!this.isServed) this.#pause.abort();
  }

  async #rest(delayMs: number, signal: AbortSignal): Promise<void> {
    this.#pause = new AbortController();
    const either = AbortSignal.any([signal, this.#pause.signal]);
    await this.#options.clock.sleep(delayMs, either).catch(() => undefined);
  }

  /** Begins a new list as soon as can be. */
  relist(): void {
    this.#options.intake.lose();
    this.#attempt?.end(new RelistWantedError());
  }

  /** The delay before the next attempt. */
  async #try(attempt: Attempt, signal: AbortSignal): Promise<number> {
    try {
      await this.#follow(attempt);
      return this.#afterEnd(attempt);
    } catch (error) {
      if (signal.aborted) return 0;
      return this.#afterFailure(attempt, attempt.signal.aborted ? attempt.signal.reason : error);
    }
  }

  async #follow(attempt: Attempt): Promise<void> {
    const { client, intake } = this.#options;
    if (intake.position === undefined) {
      intake.beginList();
      if (this.#isStreamingRefused) await this.#listPages(attempt);
    }
    let eventCount = 0;
    await client.watch(this.#watchOptions(attempt), (batch) => {
      eventCount += batch.length;
      return this.#hear(attempt, () => this.#take(attempt, batch));
    });
    attempt.signal.throwIfAborted();
    if (eventCount === 0 && attempt.tookMs < SHORTEST_WATCH_MS) throw new Error("the server ended the watch at once");
  }

  async #listPages(attempt: Attempt): Promise<void> {
    const { client, intake, selection } = this.#options;
    let resourceVersion = "";
    for await (const page of client.pages({ ...selection, limit: PAGE_SIZE, signal: attempt.signal })) {
      resourceVersion = page.metadata.resourceVersion ?? "";
      await this.#hear(attempt, () => intake.take(page.items.map((object) => ({ type: "ADDED", object }))));
    }
    attempt.signal.throwIfAborted();
    await this.#endList(attempt, resourceVersion);
  }

  #watchOptions(attempt: Attempt): WatchOptions {
    const { intake, random, selection, timings } = this.#options;
    const [least, most] = timings.watchSeconds;
    return {
      ...selection,
      signal: attempt.signal,
      hasNoManagedFields: true,
      timeoutSeconds: Math.round(least + random() * (most - least)),
      ...(intake.position === undefined ? { sendInitialEvents: true } : { resourceVersion: intake.position }),
    };
  }

  /** In the same turn if it can be, as is all that it calls for a single event. */
  #hear(attempt: Attempt, handle: () => Promise<void> | undefined): Promise<void> | undefined {
    const { report, progressed } = this.#options;
    attempt.heard();
    this.#notServedAnswers = 0;
    report({ type: "heard" });
    return after(handle(), progressed);
  }

  #take(attempt: Attempt, batch: readonly WatchEvent<T>[]): Promise<void> | undefined {
    if (this.#options.intake.position !== undefined) return this.#takeLive(batch);
    return this.#takeInitial(attempt, batch).then((live) => this.#takeLive(live));
  }

  #takeLive(batch: readonly WatchEvent<T>[]): Promise<void> | undefined {
    if (batch.length === 0) return undefined;
    const { intake } = this.#options;
    return after(intake.take(batch), () => {
      if (intake.position === undefined) throw new HistoryLostError("the server's versions went back");
    });
  }

  /** Takes in what belongs to the list; returns the rest. */
  async #takeInitial(attempt: Attempt, batch: readonly WatchEvent<T>[]): Promise<readonly WatchEvent<T>[]> {
    const { intake } = this.#options;
    const end = batch.findIndex(({ type }) => type === "BOOKMARK");
    await intake.take(end < 0 ? batch : batch.slice(0, end));
    const bookmark = batch[end];
    if (!bookmark) return [];
    const { annotations, resourceVersion = "" } = bookmark.object.metadata;
    // A server that doesn't know streaming lists sends plain bookmarks, and would never end the list.
    if (annotations?.[INITIAL_EVENTS_END] !== "true") throw new StreamingListUnknownError();
    await this.#endList(attempt, resourceVersion);
    return batch.slice(end + 1);
  }

  async #endList(attempt: Attempt, resourceVersion: string): Promise<void> {
    const { intake, progressed, report } = this.#options;
    const isRelist = intake.hasSynced;
    await intake.endList(resourceVersion);
    progressed();
    report({ type: "listed", tookMs: attempt.tookMs, isRelist });
  }

  #afterEnd(attempt: Attempt): number {
    const { intake, report } = this.#options;
    if (intake.position === undefined) return this.#fail(attempt, new Error("the server ended the list half-way"));
    report({ type: "restarted", because: "ended" });
    this.#recover(attempt);
    return 0;
  }

  #afterFailure(attempt: Attempt, error: unknown): number | Promise<number> {
    const { intake, report } = this.#options;
    if (error instanceof RelistWantedError) {
      intake.lose();
      return 0;
    }
    if (this.#isRefusalToStream(error)) {
      this.#isStreamingRefused = true;
      return 0;
    }
    if (error instanceof SilentWatchError && attempt.hasHeard) {
      report({ type: "restarted", because: "silent" });
      this.#recover(attempt);
      return 0;
    }
    if (statusOf(error) === 404) return this.#notServed();
    if (statusOf(error) === 410 || error instanceof HistoryLostError) intake.lose();
    return this.#fail(attempt, error);
  }

  #isRefusalToStream(error: unknown): boolean {
    if (this.#isStreamingRefused || this.#options.intake.position !== undefined) return false;
    return error instanceof StreamingListUnknownError || statusOf(error) === 400 || statusOf(error) === 422;
  }

  /** One such answer may be a server that is just starting; after the second one, what we held is believed gone. */
  async #notServed(): Promise<number> {
    const { intake, progressed, report } = this.#options;
    this.#notServedAnswers++;
    if (this.#notServedAnswers === 1) intake.lose();
    else await intake.clear();
    const retryInMs = this.#untilNextLook();
    report({ type: "not served", retryInMs });
    progressed();
    return retryInMs;
  }

  #untilNextLook(): number {
    const { isLookedFor, random, timings } = this.#options;
    const soonMs = LOOK_AGAIN_MS[this.#looks++];
    return soonMs ?? (isLookedFor() ? timings.pollDefinedMs : timings.pollMs) * (1 + random() / 2);
  }

  #fail(attempt: Attempt, error: unknown): number {
    this.#recover(attempt);
    const retryInMs = this.#backoff.next();
    this.#options.report({ type: "failed", error, retryInMs });
    return retryInMs;
  }

  #recover(attempt: Attempt): void {
    if (attempt.healthyMs >= this.#options.timings.healthyMs) this.#backoff.reset();
  }
}

/** At once if there is nothing to wait for. */
function after(work: Promise<void> | undefined, then: () => void): Promise<void> | undefined {
  if (work) return work.then(then);
  then();
  return undefined;
}
