import type { Clock, Random } from "@chaski/clock";
import type { CoreEvent, KubeObject } from "@chaski/kube";
import type { KindClient } from "../client/client.ts";
import { ApiError, NotFound } from "../client/errors.ts";
import type { EventNote } from "../decision/index.ts";
import { Fifo } from "../queue/fifo.ts";
import { Correlator, type Tellable } from "./correlator.ts";
import { buildEvent, type EventSource } from "./event.ts";

/** Tells people what happened, where `kubectl describe` shows it. */
export interface EventRecorder {
  /** Never blocks and never fails: an event that can't be told is dropped. */
  record(regarding: Readonly<KubeObject>, note: EventNote): void;
}

export interface RecorderOptions {
  readonly events: Pick<KindClient<CoreEvent>, "create" | "patch">;
  readonly source: EventSource;
  readonly clock: Clock;
  readonly random: Random;
  onDropped?(event: CoreEvent, because: "full" | "spam" | "refused" | "unreachable"): void;
}

export const BUFFER_MAX = 1_000;
export const TRIES_MAX = 12;
export const RETRY_MS = 10_000;
const CALL_DEADLINE_MS = 10_000;

export class QueuedRecorder implements EventRecorder {
  readonly #options: RecorderOptions;
  readonly #correlator: Correlator;
  readonly #waiting = new Fifo<CoreEvent>();
  #sending: Promise<void> | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#correlator = new Correlator(options.clock);
  }

  record(regarding: Readonly<KubeObject>, note: EventNote): void {
    const { source, clock } = this.#options;
    const event = buildEvent(regarding, note, source, clock.now());
    if (this.#waiting.length >= BUFFER_MAX) return this.#options.onDropped?.(event, "full");
    this.#waiting.push(event);
    this.#sending ??= this.#sendAll();
  }

  /** Resolves when everything recorded so far was told or dropped. */
  async flush(): Promise<void> {
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    for (let event = this.#waiting.shift(); event; event = this.#waiting.shift()) await this.#send(event);
    this.#sending = undefined;
  }

  async #send(event: CoreEvent): Promise<void> {
    const { clock, random } = this.#options;
    const correlated = this.#correlator.correlate(event);
    if (correlated.type === "spam") return this.#options.onDropped?.(event, "spam");
    for (let attempt = 1; attempt <= TRIES_MAX; attempt++) {
      const outcome = await this.#try(correlated);
      if (outcome === "told") return;
      if (outcome === "refused") return this.#options.onDropped?.(event, "refused");
      // Replicas that lost the same server must not come back in step.
      if (attempt < TRIES_MAX) await clock.sleep(attempt === 1 ? RETRY_MS * random() : RETRY_MS);
    }
    this.#options.onDropped?.(event, "unreachable");
  }

  async #try({ type, key, event }: Tellable): Promise<Attempt> {
    try {
      const told = await (type === "repeat" ? this.#repeat(event) : this.#create(event));
      this.#correlator.remember(key, told);
      return "told";
    } catch (error) {
      return isRefusal(error) ? "refused" : "unreachable";
    }
  }

  #create(event: CoreEvent): Promise<CoreEvent> {
    return this.#options.events.create(event, { deadlineMs: CALL_DEADLINE_MS });
  }

  async #repeat(event: CoreEvent): Promise<CoreEvent> {
    const { count, message, lastTimestamp, metadata } = event;
    const key = { namespace: metadata.namespace ?? "default", name: metadata.name };
    try {
      const patch = { count, message, lastTimestamp };
      return await this.#options.events.patch(key, "merge", patch, { deadlineMs: CALL_DEADLINE_MS });
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      // Events live for an hour; the next one of the kind starts anew under its old name.
      return this.#create({ ...event, metadata: { namespace: key.namespace, name: key.name } });
    }
  }
}

type Attempt = "told" | "refused" | "unreachable";

/** The server has answered, and the answer was no: asking again would not change it. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status !== undefined && error.status < 500 && error.status !== 429;
}
