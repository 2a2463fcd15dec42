import { apiVersionOf, CoreEvent, type Kind, type KubeObject } from "@chaski/kube";
import type { Access } from "./access.ts";

export interface Occurrence {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

const REMEMBERED = 4_096;

/** Writes Events: one for each thing that happens, counted when it happens again. */
export class Recorder {
  readonly #access: Access;
  readonly #component: string;
  readonly #names = new Map<string, string>();
  #sequence = 0;

  constructor(access: Access, component: string) {
    this.#access = access;
    this.#component = component;
  }

  async record(kind: Kind, object: KubeObject, { type, reason, message }: Occurrence): Promise<void> {
    const { namespace = "default", uid = "" } = object.metadata;
    const identity = [uid, type, reason, message].join("\n");
    const name = this.#names.get(identity);
    if (name !== undefined && (await this.#countAgain(namespace, name))) return;
    const { now } = this.#access;
    const created = `${object.metadata.name}.${this.#nextSuffix()}`;
    await this.#access.create(CoreEvent, {
      metadata: { namespace, name: created },
      involvedObject: referenceOf(kind, object),
      type,
      reason,
      message,
      source: { component: this.#component },
      reportingComponent: this.#component,
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    });
    this.#remember(identity, created);
  }

  #remember(identity: string, name: string): void {
    this.#names.set(identity, name);
    const [oldest] = this.#names.keys();
    if (this.#names.size > REMEMBERED && oldest !== undefined) this.#names.delete(oldest);
  }

  async #countAgain(namespace: string, name: string): Promise<boolean> {
    if (!this.#access.get(CoreEvent, { namespace, name })) return false;
    const { now } = this.#access;
    await this.#access.edit(CoreEvent, { namespace, name }, (event) => ({
      ...event,
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

function referenceOf(kind: Kind, { metadata }: KubeObject): object {
  const { namespace, name, uid, resourceVersion } = metadata;
  return { kind: kind.kind, apiVersion: apiVersionOf(kind), namespace, name, uid, resourceVersion };
}
