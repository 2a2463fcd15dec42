import type { Clock, Random } from "@chaski/clock";
import type { Transport, TransportRequest, TransportResponse } from "@chaski/kube";
import { readJson, readText, retryAfterHeaderMs } from "./body.ts";
import { abortable, CallScope } from "./call-scope.ts";
import type { CallOptions } from "./client.ts";
import type { Credentials } from "./credentials.ts";
import { forEach, type Handler } from "./eager.ts";
import { ApiError, type Attempted, CredentialsUnavailable, MalformedResponse, Timeout } from "./errors.ts";
import type { RequestLimiter } from "./request-limiter.ts";
import { expiryHint } from "./token-expiry.ts";
import { Retries } from "./retries.ts";
import { type Answer, errorFromAnswer, isWrite, type Status } from "./status-error.ts";
import { errorFromTransport } from "./transport-error.ts";

const DEFAULT_DEADLINE_MS = 30_000;

/** One request, as a kind client or a discovery makes it. */
export interface ApiCall extends Omit<Attempted, "cluster" | "origin"> {
  readonly method: TransportRequest["method"];
  readonly path: string;
  /** Text goes out as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly isUrgent?: boolean;
}

/** One HTTP exchange that has ended, for metrics. */
export interface RequestNote {
  readonly cluster: string;
  readonly verb: string;
  readonly method: TransportRequest["method"];
  /** Plural of the kind; undefined for a plain path. */
  readonly resource: string | undefined;
  /** Undefined when no answer came. */
  readonly status: number | undefined;
  readonly durationMs: number;
}

export interface RequesterSettings {
  readonly cluster: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly credentials?: Credentials;
  readonly origin?: string;
  readonly limiter?: RequestLimiter;
  readonly headers: Readonly<Record<string, string>>;
  readonly repeatedHeaders?: Readonly<Record<string, readonly string[]>>;
  readonly onRequest?: (note: RequestNote) => void;
}

/** Sends calls: rate limit, credentials, deadline, the few retries that are safe, typed errors. */
export class Requester {
  readonly #settings: RequesterSettings;

  constructor(settings: RequesterSettings) {
    this.#settings = settings;
  }

  get settings(): RequesterSettings {
    return this.#settings;
  }

  json<T>(call: ApiCall, options: CallOptions = {}): Promise<T> {
    return this.#within(call, options, async (scope, attempted) => {
      const response = await this.#send(call, attempted, scope);
      const { text, value } = await readJson(response.body, scope.signal);
      if (value !== undefined) return value as T;
      throw new MalformedResponse(attempted, {
        status: response.status,
        message: `the server answered ${text.length} characters that are not JSON`,
      });
    });
  }

  text(call: ApiCall, options: CallOptions = {}): Promise<string> {
    return this.#within(call, options, async (scope, attempted) =>
      readText((await this.#send(call, attempted, scope)).body, scope.signal),
    );
  }

  /**
   * Hands over an empty chunk when the answer begins, then those of its body; resolves at its end. With the first the
   * deadline is met; then only the signal ends it. What the handler throws is thrown as it is.
   */
  async stream(call: ApiCall, signal: AbortSignal, handle: Handler<Uint8Array>): Promise<void> {
    const attempted = this.attempted(call);
    using scope = new CallScope(this.#settings.clock, DEFAULT_DEADLINE_MS, signal);
    const guarded = new Guarded(handle, scope.signal);
    try {
      const response = await this.#send(call, attempted, scope);
      scope.endDeadline();
      await guarded.handle(new Uint8Array());
      await abortable(forEach(response.body, guarded.handle), scope.signal);
    } catch (error) {
      throw error === guarded.thrown ? error : this.#typed(error, attempted, scope);
    } finally {
      scope.end();
    }
  }

  attempted({ verb, kind, key, subresource, path }: ApiCall): Attempted {
    return {
      cluster: this.#settings.cluster,
      verb,
      path,
      ...(this.#settings.origin !== undefined && { origin: this.#settings.origin }),
      ...(kind && { kind }),
      ...(key && { key }),
      ...(subresource !== undefined && { subresource }),
    };
  }

  async #within<T>(
    call: ApiCall,
    options: CallOptions,
    work: (scope: CallScope, attempted: Attempted) => Promise<T>,
  ): Promise<T> {
    const attempted = this.attempted(call);
    using scope = new CallScope(this.#settings.clock, options.deadlineMs ?? DEFAULT_DEADLINE_MS, options.signal);
    try {
      return await work(scope, attempted);
    } catch (error) {
      throw this.#typed(error, attempted, scope);
    }
  }

  #typed(error: unknown, attempted: Attempted, scope: CallScope): unknown {
    if (error instanceof ApiError) return error;
    if (scope.isCancelled) return scope.cancelReason;
    if (!scope.isExpired) return errorFromTransport(attempted, error);
    return new Timeout(attempted, {
      message: `no answer within ${scope.deadlineMs} ms`,
      isOutcomeUnknown: scope.wasSent && isWrite(attempted),
    });
  }

  async #send(call: ApiCall, attempted: Attempted, scope: CallScope): Promise<TransportResponse> {
    const retries = new Retries(this.#settings, scope);
    for (;;) {
      const authorization = await this.#authorization(call, attempted, scope);
      try {
        return await this.#exchange(call, attempted, scope, authorization);
      } catch (error) {
        const failure = this.#typed(error, attempted, scope);
        if (!(await retries.isWorthwhile(failure, authorization))) throw failure;
      }
    }
  }

  async #authorization(call: ApiCall, attempted: Attempted, scope: CallScope): Promise<string | undefined> {
    const { limiter, credentials } = this.#settings;
    await limiter?.take(scope.signal, call.isUrgent);
    if (credentials === undefined) return undefined;
    try {
      return await abortable(credentials.authorization(scope.signal), scope.signal);
    } catch (error) {
      if (scope.signal.aborted) throw error;
      throw new CredentialsUnavailable(attempted, { message: messageOf(error), cause: error });
    }
  }

  async #exchange(
    call: ApiCall,
    attempted: Attempted,
    scope: CallScope,
    authorization: string | undefined,
  ): Promise<TransportResponse> {
    const { transport, clock } = this.#settings;
    const startedAtMs = clock.monotonic();
    scope.wasSent = true;
    try {
      const response = await abortable(transport.send(this.#request(call, scope.signal, authorization)), scope.signal);
      this.#note(call, startedAtMs, response.status);
      if (response.status < 400) return response;
      const answer = await answerOf(response, clock, scope.signal);
      throw errorFromAnswer(attempted, answer, expiryHint(authorization, clock.now()));
    } catch (error) {
      if (!(error instanceof ApiError)) this.#note(call, startedAtMs, undefined);
      throw error;
    }
  }

  #request(call: ApiCall, signal: AbortSignal, authorization: string | undefined): TransportRequest {
    const headers: Record<string, string> = { accept: call.accept ?? "application/json", ...this.#settings.headers };
    if (authorization !== undefined) headers["authorization"] = authorization;
    const { method, path, body } = call;
    const { repeatedHeaders } = this.#settings;
    const request = { method, path, headers, signal, ...(repeatedHeaders && { repeatedHeaders }) };
    if (body === undefined) return request;
    headers["content-type"] = call.contentType ?? "application/json";
    return { ...request, body: typeof body === "string" ? body : JSON.stringify(body) };
  }

  #note({ verb, method, kind }: ApiCall, startedAtMs: number, status: number | undefined): void {
    const { cluster, clock, onRequest } = this.#settings;
    onRequest?.({ cluster, verb, method, resource: kind?.plural, status, durationMs: clock.monotonic() - startedAtMs });
  }
}

/** A handler that hears nothing after the signal, and whose own errors can be told from those of the transport. */
class Guarded {
  readonly handle: Handler<Uint8Array>;
  thrown: unknown;

  constructor(handle: Handler<Uint8Array>, signal: AbortSignal) {
    const fail = (error: unknown): never => {
      this.thrown = error;
      throw error;
    };
    this.handle = (chunk) => {
      if (signal.aborted) return undefined;
      try {
        return handle(chunk)?.catch(fail);
      } catch (error) {
        return fail(error);
      }
    };
  }
}

async function answerOf(response: TransportResponse, clock: Clock, signal: AbortSignal): Promise<Answer> {
  const { value } = await readJson(response.body, signal);
  const delayMs = retryAfterHeaderMs(response.headers["retry-after"], clock.now());
  return {
    status: response.status,
    ...(delayMs !== undefined && { retryAfterMs: delayMs }),
    ...(isStatus(value) && { body: value }),
  };
}

export function isStatus(value: unknown): value is Status {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "Status";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "the credentials could not be had";
}
