import type { Clock } from "@chaski/clock";
import type { CoreEvent } from "@chaski/kube";
import { type Rate, TokenBucket } from "../queue/token-bucket.ts";
import { similarityKey, subjectKey } from "./event.ts";
import { Lru } from "./lru.ts";

const SIMILAR_MAX = 10;
const SIMILAR_WITHIN_MS = 600_000;
const SPAM_RATE: Rate = { burst: 25, perSecond: 1 / 300 };
const REMEMBERED_MAX = 4_096;
/** What is told again and again is counted, and told this often: a count is never worth more calls than the work. */
const REPEAT_EVERY_MS = 300_000;

/** Something to tell. `repeat`: the same was told before, so only its count, time and text go out. */
export interface Tellable {
  readonly type: "create" | "repeat";
  readonly key: string;
  readonly event: CoreEvent;
}

export type Correlated =
  | Tellable
  /** The same was told a moment ago: counted, and to be told with what else comes of it. */
  | { readonly type: "hold"; readonly key: string; readonly event: CoreEvent; readonly forMs: number }
  | { readonly type: "spam" };

/** What is kept of an event that was told: thousands are, so no more than its repetition needs. */
interface Reported {
  readonly name: string;
  readonly firstTimestamp: string | undefined;
  readonly toldMs: number;
  /** May have grown since it was told. */
  readonly count: number;
}

interface Similar {
  readonly messages: Set<string>;
  lastMs: number;
}

/** Keeps a talkative object from flooding the API server: the same is counted, the similar combined, spam dropped. */
export class Correlator {
  readonly #clock: Clock;
  readonly #similar = new Lru<Similar>(REMEMBERED_MAX);
  readonly #reported = new Lru<Reported>(REMEMBERED_MAX);
  readonly #buckets = new Lru<TokenBucket>(REMEMBERED_MAX);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  correlate(event: CoreEvent): Correlated {
    const { key, combined } = this.#combine(event);
    const known = this.#reported.get(key);
    if (known) return this.#again(key, { ...known, count: known.count + 1 }, combined);
    return this.#bucketOf(event).tryTake() ? { type: "create", key, event: combined } : { type: "spam" };
  }

  /** The server has it now; a count that has grown meanwhile stays as it is. */
  remember(key: string, { metadata: { name }, firstTimestamp, count: told = 1 }: CoreEvent): void {
    const count = Math.max(told, this.#reported.get(key)?.count ?? 1);
    this.#reported.set(key, { name, firstTimestamp, count, toldMs: this.#clock.monotonic() });
  }

  /** What is not told now is counted all the same: the next one that goes out tells how many there were. */
  #again(key: string, reported: Reported, latest: CoreEvent): Correlated {
    this.#reported.set(key, reported);
    const event = repeated(reported, latest);
    const forMs = reported.toldMs + REPEAT_EVERY_MS - this.#clock.monotonic();
    if (forMs > 0) return { type: "hold", key, event, forMs };
    return this.#bucketOf(event).tryTake() ? { type: "repeat", key, event } : { type: "spam" };
  }

  #combine(event: CoreEvent): { readonly key: string; readonly combined: CoreEvent } {
    const similarity = similarityKey(event);
    const similar = this.#similarTo(similarity);
    const message = event.message ?? "";
    if (similar.messages.size < SIMILAR_MAX) similar.messages.add(message);
    if (similar.messages.size < SIMILAR_MAX) return { key: `${similarity}|${message}`, combined: event };
    return { key: similarity, combined: { ...event, message: `(combined from similar events): ${message}` } };
  }

  #similarTo(similarity: string): Similar {
    const nowMs = this.#clock.monotonic();
    const known = this.#similar.get(similarity);
    if (known && nowMs - known.lastMs <= SIMILAR_WITHIN_MS) {
      known.lastMs = nowMs;
      return known;
    }
    const fresh: Similar = { messages: new Set(), lastMs: nowMs };
    this.#similar.set(similarity, fresh);
    return fresh;
  }

  #bucketOf({ involvedObject }: CoreEvent): TokenBucket {
    const subject = subjectKey(involvedObject);
    const known = this.#buckets.get(subject);
    if (known) return known;
    const bucket = new TokenBucket(this.#clock, SPAM_RATE);
    this.#buckets.set(subject, bucket);
    return bucket;
  }
}

/** The latest, under the name of the first. */
function repeated({ name, firstTimestamp, count }: Reported, latest: CoreEvent): CoreEvent {
  const metadata = { ...latest.metadata, name };
  return { ...latest, metadata, count, ...(firstTimestamp === undefined ? {} : { firstTimestamp }) };
}
