// Between a client and the server: lets through, delays, refuses or swallows. Deterministic for the same random and
// the same order of requests.
import type { Clock, Random } from "@chaski/clock";
import type { Transport, TransportRequest, TransportResponse } from "@chaski/kube";
import { ApiError } from "../errors/api-error.ts";
import type { Store } from "../storage/store.ts";
import { ConnectionResetError, type Effect, type Fault, type RequestFilter } from "./fault.ts";

interface Injected {
  readonly fault: Fault;
  left: number;
}

export interface FaultsOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
}

/** All that can go wrong between this cluster and its clients. Nothing does unless asked for. */
export class Faults {
  readonly #options: FaultsOptions;
  readonly #injected = new Set<Injected>();
  readonly #openWatches = new Set<AbortController>();
  #partition: AbortController | undefined;

  constructor(options: FaultsOptions) {
    this.#options = options;
  }

  /** Until the returned function is called, or it has struck as often as it may. */
  inject(fault: Fault): () => void {
    const injected = { fault, left: fault.times ?? Number.POSITIVE_INFINITY };
    this.#injected.add(injected);
    return () => void this.#injected.delete(injected);
  }

  clear(): void {
    this.#injected.clear();
    this.heal();
  }

  /** Nobody gets through, and no watch hears anything, until `heal`. */
  partition(): void {
    this.#partition ??= new AbortController();
    this.dropWatches();
  }

  heal(): void {
    this.#partition?.abort();
    this.#partition = undefined;
  }

  /** Ends every open watch. */
  dropWatches(): void {
    for (const watch of this.#openWatches) watch.abort();
    this.#openWatches.clear();
  }

  /** Forgets all history: watches from an older resourceVersion get 410. */
  compact(): void {
    this.#options.store.compact();
  }

  /** As if the server had been restarted: all connections break, the state stays, the history is gone. */
  restart(): void {
    this.dropWatches();
    this.compact();
  }

  send(next: Transport["send"], request: TransportRequest, client = ""): Promise<TransportResponse> {
    const isUndisturbed = this.#injected.size === 0 && !this.#partition && !isWatch(request);
    return isUndisturbed ? next(request) : this.#disturb(next, request, client);
  }

  async #disturb(next: Transport["send"], request: TransportRequest, client: string): Promise<TransportResponse> {
    if (this.#partition) await this.#hang(request);
    const effects = this.#effectsOn(request, client);
    const status = effects.find((effect) => effect.kind === "status");
    for (const effect of effects) await this.#before(effect, request);
    if (status) return refusal(status);
    const aged = this.#aged(request, effects);
    const response = await next(isWatch(request) ? this.#droppable(aged) : aged);
    for (const effect of effects) await this.#after(effect, request);
    const drop = effects.find((effect) => effect.kind === "drop-watch");
    return drop ? { ...response, body: firstOf(response.body, drop.afterEvents) } : response;
  }

  #effectsOn(request: TransportRequest, client: string): Effect[] {
    const striking = [...this.#injected].filter(
      ({ fault }) => matches(fault.on ?? {}, request, client) && this.#options.random() < (fault.probability ?? 1),
    );
    for (const injected of striking) if (--injected.left <= 0) this.#injected.delete(injected);
    return striking.map(({ fault }) => fault.effect);
  }

  async #before(effect: Effect, request: TransportRequest): Promise<void> {
    const { clock, random } = this.#options;
    if (effect.kind === "latency")
      await clock.sleep(effect.minMs + random() * (effect.maxMs - effect.minMs), request.signal);
    if (effect.kind === "timeout" && effect.when === "before") await this.#hang(request);
    if (effect.kind === "reset" && effect.when === "before") throw new ConnectionResetError("read ECONNRESET");
  }

  async #after(effect: Effect, request: TransportRequest): Promise<void> {
    if (effect.kind === "timeout" && effect.when === "after") await this.#hang(request);
    if (effect.kind === "reset" && effect.when === "after") throw new ConnectionResetError("read ECONNRESET");
  }

  /** Until the client gives up or the partition heals; then the connection breaks. */
  async #hang({ signal }: TransportRequest): Promise<never> {
    const signals = [signal, this.#partition?.signal].filter((candidate) => candidate !== undefined);
    await new Promise<void>((resolve) => {
      for (const candidate of signals) {
        if (candidate.aborted) resolve();
        candidate.addEventListener("abort", () => resolve(), { once: true });
      }
    });
    if (signal?.aborted) throw signal.reason as Error;
    throw new ConnectionResetError("read ECONNRESET");
  }

  #aged(request: TransportRequest, effects: readonly Effect[]): TransportRequest {
    const stale = effects.find((effect) => effect.kind === "stale-list");
    if (!stale || request.method !== "GET" || /[?&]resourceVersion=[1-9]/.test(request.path)) return request;
    const version = this.#options.store.versionAt(this.#options.clock.now() - stale.byMs);
    const query = isWatch(request)
      ? `resourceVersion=${version}`
      : `resourceVersion=${version}&resourceVersionMatch=Exact`;
    return { ...request, path: `${request.path}${request.path.includes("?") ? "&" : "?"}${query}` };
  }

  #droppable(request: TransportRequest): TransportRequest {
    const watch = new AbortController();
    this.#openWatches.add(watch);
    const { signal } = request;
    signal?.addEventListener("abort", () => this.#openWatches.delete(watch), { once: true });
    return { ...request, signal: signal ? AbortSignal.any([signal, watch.signal]) : watch.signal };
  }
}

/** Answered as if the server itself had refused. */
function refusal({ code, retryAfterSeconds }: Extract<Effect, { kind: "status" }>): TransportResponse {
  const reason = REASONS[code] ?? "InternalError";
  const details = retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } };
  const body = new ApiError({ code, reason, message: `injected: ${reason}`, ...details }).body();
  const headers = {
    "content-type": "application/json",
    ...(retryAfterSeconds !== undefined && { "retry-after": `${retryAfterSeconds}` }),
  };
  return { status: code, headers, body: once(new TextEncoder().encode(JSON.stringify(body))) };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const REASONS: Readonly<Record<number, string>> = {
  409: "Conflict",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

function isWatch({ path }: TransportRequest): boolean {
  return /[?&]watch=(?!0|false)/.test(path);
}

function matches({ methods, path, watches, client }: RequestFilter, request: TransportRequest, user: string): boolean {
  return (
    (methods === undefined || methods.includes(request.method)) &&
    (path === undefined || path.test(request.path)) &&
    (watches === undefined || watches === isWatch(request)) &&
    (client === undefined || client === user || (request.headers["user-agent"] ?? "").startsWith(client))
  );
}

async function* firstOf(body: AsyncIterable<Uint8Array>, eventsMax: number): AsyncGenerator<Uint8Array> {
  if (eventsMax === 0) return;
  let events = 0;
  for await (const event of body) {
    yield event;
    if (++events === eventsMax) return;
  }
}
