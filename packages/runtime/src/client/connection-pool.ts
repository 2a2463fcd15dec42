import type { Dispatcher } from "undici";
import { type ArrivingAnswer, type Exchange, exchange } from "./arriving-answer.ts";
import { Slots } from "./slots.ts";

const CALLS_AT_ONCE = 32;

export interface PooledRequest extends Omit<Exchange, "onEnd"> {
  readonly signal: AbortSignal | undefined;
  /** A watch: it may last for ever, and so takes no call's place. */
  readonly isLong: boolean;
}

/**
 * Connections to one server, each with one request at a time. A request never waits behind another on a connection that
 * hangs or is still being opened, which is why this is not undici's own pool; and when one fails, those that lie idle
 * are not trusted either.
 */
export class ConnectionPool {
  readonly #open: () => Dispatcher;
  readonly #idle: Dispatcher[] = [];
  readonly #busy = new Set<Dispatcher>();
  readonly #slots = new Slots(CALLS_AT_ONCE);
  #isRetired = false;

  constructor(open: () => Dispatcher) {
    this.#open = open;
  }

  async send({ options, onStart, signal, isLong }: PooledRequest): Promise<ArrivingAnswer> {
    const leave = isLong ? () => {} : await this.#slots.enter(signal);
    const connection = this.#idle.pop() ?? this.#open();
    this.#busy.add(connection);
    // undici forgets the signal of a request whose connection is not open yet; ending the connection always works.
    const onAbort = (): void => finish(false);
    const finish = (isReusable: boolean): void => {
      signal?.removeEventListener("abort", onAbort);
      if (!this.#busy.delete(connection)) return;
      leave();
      if (isReusable && !this.#isRetired) this.#idle.push(connection);
      else this.#drop(connection, isReusable);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      return await exchange(connection, { options, onStart, onEnd: finish });
    } catch (error) {
      finish(false);
      throw error;
    }
  }

  get isBusy(): boolean {
    return this.#busy.size > 0;
  }

  /** Lets what is under way end, and keeps nothing. */
  retire(): void {
    this.#isRetired = true;
    this.#dropIdle();
  }

  async close(): Promise<void> {
    this.#isRetired = true;
    const all = [...this.#idle.splice(0), ...this.#busy];
    await Promise.all(all.map((connection) => connection.destroy()));
  }

  #drop(connection: Dispatcher, isHealthy: boolean): void {
    if (!isHealthy) this.#dropIdle();
    connection.destroy().catch(() => undefined);
  }

  #dropIdle(): void {
    for (const idle of this.#idle.splice(0)) idle.destroy().catch(() => undefined);
  }
}
