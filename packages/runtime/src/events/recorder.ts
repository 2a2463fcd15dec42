import type { Clock, Random, Timer } from "@chaski/clock";
import type { CoreEvent, KubeObject } from "@chaski/kube";
import type { CallOptions, KindClient } from "../client/client.ts";
import { ApiError, NotFound } from "../client/errors.ts";
import type { EventNote } from "../decision/index.ts";
import { Fifo } from "../queue/fifo.ts";
import { type Correlated, Correlator, type Tellable } from "./correlator.ts";
import { buildEvent, type EventSource, type Noted, subjectKey, subjectOf } from "./event.ts";
import { Pace } from "./pace.ts";

/** Tells people what happened, where `kubectl describe` shows it. */
export interface EventRecorder {
  /** Never blocks and never fails: an event that can't be told is dropped, and that is told in log and metrics. */
  record(regarding: Readonly<KubeObject>, note: EventNote): void;
}

export interface RecorderOptions {
  readonly events: Pick<KindClient<CoreEvent>, "create" | "patch">;
  readonly source: EventSource;
  readonly clock: Clock;
  readonly random: Random;
  onDropped?(event: CoreEvent, because: "full" | "spam" | "refused" | "unreachable"): void;
}

/** Ten times what client-go keeps: hundreds of releases may begin in the same second, and each tells several things. */
const BUFFER_MAX = 10_000;
/** What is told has just been decided, and is about to be written: neither server nor process is kept from that. */
const TELL_AFTER_MS = 250;
const TRIES_MAX = 12;
const RETRY_MS = 10_000;
const CALL_DEADLINE_MS = 10_000;

/**
 * Tells what was recorded, of one object in order, of several in turn. One at a time: the work that is told about comes
 * first, and when hundreds of releases move at once their events follow behind. A server that is slower than
 * it can be is left in peace for longer than it is kept busy.
 */
export class QueuedRecorder implements EventRecorder {
  readonly #options: RecorderOptions;
  readonly #correlator: Correlator;
  /** By subject, those with something to tell. */
  readonly #lines = new Map<string, Fifo<Noted>>();
  readonly #subjects = new Fifo<string>();
  readonly #held = new Map<string, Held>();
  readonly #stop = new AbortController();
  readonly #hurry = new AbortController();
  readonly #pace = new Pace();
  #waiting = 0;
  #telling: Promise<void> | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#correlator = new Correlator(options.clock);
  }

  record(regarding: Readonly<KubeObject>, note: EventNote): void {
    const { source, clock } = this.#options;
    const noted = { subject: subjectOf(regarding), note, atMs: clock.now() };
    if (this.#waiting >= BUFFER_MAX) return this.#options.onDropped?.(buildEvent(noted, source), "full");
    this.#waiting += 1;
    this.#lineOf(subjectKey(noted.subject)).push(noted);
    this.#telling ??= this.#tellAll();
  }

  /** Resolves when everything recorded so far was told or dropped. From now on nothing is put off. */
  async flush(): Promise<void> {
    this.#hurry.abort();
    await this.#telling;
    await Promise.all([...this.#held.keys()].map((key) => this.#tellHeld(key)));
  }

  /** Tries nothing any more: a process whose server is gone would otherwise live on for as long as it has news. */
  stop(): void {
    this.#stop.abort(new Error("the process is stopping"));
    this.#hurry.abort();
    for (const { timer } of this.#held.values()) timer.cancel();
  }

  #lineOf(subject: string): Fifo<Noted> {
    const known = this.#lines.get(subject);
    if (known) return known;
    const line = new Fifo<Noted>();
    this.#lines.set(subject, line);
    this.#subjects.push(subject);
    return line;
  }

  async #tellAll(): Promise<void> {
    const { signal } = this.#stop;
    await this.#putOff(TELL_AFTER_MS);
    for (let next = this.#subjects.shift(); next !== undefined && !signal.aborted; next = this.#subjects.shift()) {
      await this.#tellNextOf(next);
      const pauseMs = this.#pace.takePauseMs();
      if (pauseMs > 0) await this.#putOff(pauseMs);
    }
    this.#telling = undefined;
  }

  async #putOff(delayMs: number): Promise<void> {
    await this.#options.clock.sleep(delayMs, this.#hurry.signal).catch(() => undefined);
  }

  async #tellNextOf(subject: string): Promise<void> {
    const line = this.#lineOf(subject);
    const noted = line.shift();
    if (!noted) return void this.#lines.delete(subject);
    this.#waiting -= 1;
    await this.#tell(buildEvent(noted, this.#options.source));
    this.#subjects.push(subject);
  }

  async #tell(event: CoreEvent): Promise<void> {
    const correlated = this.#correlator.correlate(event);
    if (correlated.type === "spam") return this.#options.onDropped?.(event, "spam");
    if (correlated.type === "hold") return this.#hold(correlated);
    await this.#send(correlated);
  }

  #hold({ key, event, forMs }: Extract<Correlated, { type: "hold" }>): void {
    const timer = this.#held.get(key)?.timer ?? this.#options.clock.after(forMs, () => void this.#tellHeld(key));
    this.#held.set(key, { event, timer });
  }

  async #tellHeld(key: string): Promise<void> {
    const held = this.#held.get(key);
    this.#held.delete(key);
    held?.timer.cancel();
    if (held) await this.#send({ type: "repeat", key, event: held.event });
  }

  async #send(tellable: Tellable): Promise<void> {
    const { clock, random } = this.#options;
    const { signal } = this.#stop;
    for (let attempt = 1; attempt <= TRIES_MAX && !signal.aborted; attempt++) {
      const outcome = await this.#try(tellable);
      if (outcome === "told") return;
      if (outcome === "refused") return this.#options.onDropped?.(tellable.event, "refused");
      // Replicas that lost the same server must not come back in step.
      const delayMs = attempt === 1 ? RETRY_MS * random() : RETRY_MS;
      if (attempt < TRIES_MAX) await clock.sleep(delayMs, signal).catch(() => undefined);
    }
    this.#options.onDropped?.(tellable.event, "unreachable");
  }

  async #try({ type, key, event }: Tellable): Promise<Attempt> {
    const { clock } = this.#options;
    const startedMs = clock.monotonic();
    try {
      const told = await (type === "repeat" ? this.#repeat(event) : this.#create(event));
      this.#pace.answered(clock.monotonic() - startedMs);
      this.#correlator.remember(key, told);
      return "told";
    } catch (error) {
      return isRefusal(error) ? "refused" : "unreachable";
    }
  }

  get #call(): CallOptions {
    return { deadlineMs: CALL_DEADLINE_MS, signal: this.#stop.signal };
  }

  #create(event: CoreEvent): Promise<CoreEvent> {
    return this.#options.events.create(event, this.#call);
  }

  async #repeat(event: CoreEvent): Promise<CoreEvent> {
    const { count, message, lastTimestamp, metadata } = event;
    const key = { namespace: metadata.namespace ?? "default", name: metadata.name };
    try {
      const patch = { count, message, lastTimestamp };
      return await this.#options.events.patch(key, "merge", patch, this.#call);
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      // Events live for an hour; the next one of the kind starts anew under its old name.
      return this.#create(event);
    }
  }
}

/** What is told together with whatever comes of it until then. */
interface Held {
  readonly event: CoreEvent;
  readonly timer: Timer;
}

type Attempt = "told" | "refused" | "unreachable";

/** The server has answered, and the answer was no: asking again would not change it. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status !== undefined && error.status < 500 && error.status !== 429;
}
