import type { Transport, TransportRequest, TransportResponse } from "@chaski/kube";

type Mode =
  | "answers"
  /** Nobody listens. */
  | "refuses"
  /** Packets vanish. */
  | "is silent"
  /** A gateway says that nobody is behind it. */
  | "is unavailable";

/** An API server without objects, in the process, that can be made to fail as real ones do. */
export class ScriptedServer {
  mode: Mode = "answers";
  /** The only header with which it lets anybody in; any when undefined. */
  admits: string | undefined;
  readonly requests: string[] = [];
  readonly #watches = new Set<AbortController>();

  /** A connection of its own. */
  connect(): Transport & { readonly isClosed: boolean } {
    const closed = new AbortController();
    return {
      send: (request) => this.#send(request, closed.signal),
      close: async () => closed.abort(failure("UND_ERR_DESTROYED")),
      get isClosed() {
        return closed.signal.aborted;
      },
    };
  }

  get openWatches(): number {
    return this.#watches.size;
  }

  cutWatches(): void {
    for (const watch of this.#watches) watch.abort(failure("ECONNRESET"));
  }

  /** No answer, as long as anybody waits. */
  hang({ signal }: TransportRequest): Promise<never> {
    return untilAborted([signal]);
  }

  async #send(request: TransportRequest, closed: AbortSignal): Promise<TransportResponse> {
    request.signal?.throwIfAborted();
    closed.throwIfAborted();
    this.requests.push(`${request.method} ${request.path}`);
    if (this.mode === "refuses") throw failure("ECONNREFUSED");
    if (this.mode === "is silent") return untilAborted([request.signal, closed]);
    if (this.mode === "is unavailable") return answer(503, "no backend");
    if (this.admits !== undefined && request.headers["authorization"] !== this.admits) {
      return answer(401, { kind: "Status", code: 401, reason: "Unauthorized", message: "Unauthorized" });
    }
    return request.path.includes("watch=true") ? this.#watch(request, closed) : answer(200, EMPTY_LIST);
  }

  #watch(request: TransportRequest, closed: AbortSignal): TransportResponse {
    const cut = new AbortController();
    this.#watches.add(cut);
    const end = untilAborted([request.signal, closed, cut.signal]).finally(() => this.#watches.delete(cut));
    end.catch(() => undefined);
    const first = request.path.includes("sendInitialEvents") ? [Buffer.from(`${JSON.stringify(SYNCED)}\n`)] : [];
    const next = (): Promise<IteratorResult<Uint8Array>> => {
      const value = first.shift();
      return value === undefined ? end : Promise.resolve({ done: false, value });
    };
    return { status: 200, headers: {}, body: { [Symbol.asyncIterator]: () => ({ next }) } };
  }
}

const SYNCED = {
  type: "BOOKMARK",
  object: { metadata: { resourceVersion: "1", annotations: { "k8s.io/initial-events-end": "true" } } },
};
const EMPTY_LIST = { kind: "List", apiVersion: "v1", metadata: { resourceVersion: "1" }, items: [] };

function answer(status: number, body: unknown): TransportResponse {
  return { status, headers: {}, body: bytes(JSON.stringify(body)) };
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function untilAborted(signals: readonly (AbortSignal | undefined)[]): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of signals) signal?.addEventListener("abort", () => reject(signal.reason as Error));
  });
}
