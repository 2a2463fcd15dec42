import type { Transport, TransportRequest, TransportResponse } from "@chaski/kube";
import { problemOf } from "../client/errors.ts";
import { CircuitOpenError } from "../client/transport-error.ts";

const FAILURES_TO_OPEN = 3;

export interface BreakerListener {
  readonly onHeard: () => void;
  readonly onOpen: () => void;
}

/**
 * Stands before a cluster's connections. After a few failures in a row it lets nothing through, so that callers fail at
 * once instead of waiting for a dead cluster. Whoever probes the cluster closes it again.
 */
export class CircuitBreaker implements Transport {
  readonly #inner: Transport;
  readonly #listener: BreakerListener;
  #failures = 0;
  #openBecause: string | undefined;

  constructor(inner: Transport, listener: BreakerListener) {
    this.#inner = inner;
    this.#listener = listener;
  }

  get isOpen(): boolean {
    return this.#openBecause !== undefined;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    if (this.#openBecause !== undefined) throw new CircuitOpenError(`nothing was sent: ${this.#openBecause}`);
    try {
      const response = await this.#inner.send(request);
      if (!isFromServer(response.status)) return response;
      this.succeeded();
      return { ...response, body: this.#listening(response.body) };
    } catch (error) {
      if (isFailure(error, request.signal)) this.failed(error);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** The cluster has answered: let everything through. */
  succeeded(): void {
    this.#failures = 0;
    this.#openBecause = undefined;
    this.#listener.onHeard();
  }

  failed(error: unknown): void {
    this.#failures += 1;
    if (this.#failures >= FAILURES_TO_OPEN) this.open(problemOf(error));
  }

  open(because: string): void {
    if (this.isOpen) return;
    this.#openBecause = because;
    this.#listener.onOpen();
  }

  async *#listening(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
    for await (const chunk of body) {
      this.succeeded();
      yield chunk;
    }
  }
}

/** A gateway answers these by itself when there is no API server behind it. */
export function isFromServer(status: number): boolean {
  return status < 502 || status > 504;
}

/** A caller that went away says nothing about the cluster; a deadline that passed does. */
function isFailure(error: unknown, signal: AbortSignal | undefined): boolean {
  if (signal?.aborted !== true) return true;
  return signal.reason instanceof DOMException && signal.reason.name === "TimeoutError";
}
