import type { Clock, Random } from "@chaski/clock";
import type { CallScope } from "./call-scope.ts";
import type { Credentials } from "./credentials.ts";
import { ConnectionLost, ServerError, TooManyRequests, Unauthorized } from "./errors.ts";
import { isWrite } from "./status-error.ts";

const MAX_WAITS = 5;
const JITTER = 0.1;

interface RetrySettings {
  readonly clock: Clock;
  readonly random: Random;
  readonly credentials?: Credentials;
}

/** What the client itself tries again: only requests that were not executed, and reads. */
export class Retries {
  readonly #settings: RetrySettings;
  readonly #scope: CallScope;
  #waits = 0;
  #hasRefreshed = false;
  #hasReconnected = false;

  constructor(settings: RetrySettings, scope: CallScope) {
    this.#settings = settings;
    this.#scope = scope;
  }

  async isWorthwhile(failure: unknown, authorization: string | undefined): Promise<boolean> {
    if (failure instanceof Unauthorized) return this.#refresh(authorization);
    if (failure instanceof ConnectionLost) return this.#reconnect(failure);
    if (failure instanceof TooManyRequests) return this.#wait(failure.retryAfterMs);
    if (failure instanceof ServerError && failure.status === 503 && failure.retryAfterMs !== undefined) {
      return this.#wait(failure.retryAfterMs);
    }
    return false;
  }

  #refresh(authorization: string | undefined): boolean {
    if (this.#hasRefreshed) return false;
    this.#hasRefreshed = true;
    return this.#settings.credentials?.refuse(authorization) ?? false;
  }

  #reconnect(failure: ConnectionLost): boolean {
    if (this.#hasReconnected || !failure.isStaleConnection || isWrite(failure.attempted)) return false;
    this.#hasReconnected = true;
    return true;
  }

  async #wait(retryAfterMs: number): Promise<boolean> {
    const delayMs = retryAfterMs * (1 + JITTER * this.#settings.random());
    if (this.#waits >= MAX_WAITS || delayMs >= this.#scope.remainingMs) return false;
    this.#waits += 1;
    await this.#settings.clock.sleep(delayMs, this.#scope.signal);
    return true;
  }
}
