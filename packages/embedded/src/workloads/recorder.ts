// Events, as the components of Kubernetes write them: what happens again is counted, many of one sort are combined,
// and an object of which there is too much to tell is no longer told of.
import { apiVersionOf, CoreEvent, formatMicroTime, type Kind, type KubeObject } from "@chaski/kube";
import type { Access } from "./access.ts";

export interface Occurrence {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** Of components that write the newer form of events: what they were about to do. */
  readonly action?: string;
}

const REMEMBERED = 4_096;
const SIMILAR_MAX = 10;
const SIMILAR_WITHIN_MS = 600_000;
const BURST = 25;
const REFILL_MS = 300_000;

interface Similar {
  readonly messages: ReadonlySet<string>;
  readonly lastMs: number;
}

interface Allowance {
  readonly left: number;
  readonly atMs: number;
}

export class Recorder {
  readonly #access: Access;
  readonly #component: string;
  readonly #names = new Map<string, string>();
  readonly #similar = new Map<string, Similar>();
  readonly #allowances = new Map<string, Allowance>();
  #sequence = 0;

  constructor(access: Access, component: string) {
    this.#access = access;
    this.#component = component;
  }

  async record(kind: Kind, object: KubeObject, occurrence: Occurrence): Promise<void> {
    const { namespace = "default", uid = "" } = object.metadata;
    const { identity, message } = this.#combine(uid, occurrence);
    if (!this.#spend(uid)) return;
    const known = this.#names.get(identity);
    if (known !== undefined && (await this.#countAgain(namespace, known, message))) return;
    const name = `${object.metadata.name}.${this.#nextSuffix()}`;
    remember(this.#names, identity, name);
    await this.#access.create(CoreEvent, {
      metadata: { namespace, name },
      involvedObject: referenceOf(kind, object),
      type: occurrence.type,
      reason: occurrence.reason,
      message,
      reportingComponent: this.#component,
      ...this.#circumstances(occurrence),
    });
  }

  #circumstances({ action }: Occurrence): object {
    const { now, nowMs } = this.#access;
    return action === undefined
      ? { source: { component: this.#component }, firstTimestamp: now, lastTimestamp: now, count: 1 }
      : { action, eventTime: formatMicroTime(nowMs), reportingInstance: `${this.#component}-simulated` };
  }

  /** From the tenth message of one sort on they are one event, which shows the latest. */
  #combine(uid: string, { type, reason, message }: Occurrence): { identity: string; message: string } {
    const sort = [uid, type, reason].join("\n");
    const { nowMs } = this.#access;
    const before = this.#similar.get(sort);
    const isRecent = before !== undefined && nowMs - before.lastMs <= SIMILAR_WITHIN_MS;
    const messages = new Set(isRecent ? before.messages : []).add(message);
    const isCombined = messages.size >= SIMILAR_MAX;
    // Nine are enough to know that the next is one too many.
    remember(this.#similar, sort, { messages: isCombined && before ? before.messages : messages, lastMs: nowMs });
    return isCombined
      ? { identity: sort, message: `(combined from similar events): ${message}` }
      : { identity: `${sort}\n${message}`, message };
  }

  #spend(uid: string): boolean {
    const { nowMs } = this.#access;
    const { left, atMs } = this.#allowances.get(uid) ?? { left: BURST, atMs: nowMs };
    const available = Math.min(BURST, left + (nowMs - atMs) / REFILL_MS);
    const isAllowed = available >= 1;
    remember(this.#allowances, uid, { left: isAllowed ? available - 1 : available, atMs: nowMs });
    return isAllowed;
  }

  async #countAgain(namespace: string, name: string, message: string): Promise<boolean> {
    if (!this.#access.get(CoreEvent, { namespace, name })) return false;
    const { now } = this.#access;
    await this.#access.edit(CoreEvent, { namespace, name }, (event) => ({
      ...event,
      message,
      count: (event.count ?? 1) + 1,
      lastTimestamp: now,
    }));
    return true;
  }

  /** Unlike every earlier one's; the real ones are a time in nanoseconds. */
  #nextSuffix(): string {
    return (BigInt(this.#access.nowMs) * 1_000_000n + BigInt(this.#sequence++)).toString(16);
  }
}

function remember<T>(memory: Map<string, T>, key: string, value: T): void {
  memory.delete(key);
  memory.set(key, value);
  const [oldest] = memory.keys();
  if (memory.size > REMEMBERED && oldest !== undefined) memory.delete(oldest);
}

function referenceOf(kind: Kind, { metadata }: KubeObject): object {
  const { namespace, name, uid, resourceVersion } = metadata;
  return { kind: kind.kind, apiVersion: apiVersionOf(kind), namespace, name, uid, resourceVersion };
}
