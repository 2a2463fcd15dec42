import type { Transport, TransportRequest, TransportResponse } from "@chaski/kube";
import { ConnectionResetError } from "@chaski/embedded";

/** The operator's way to one cluster: cut, guarded, refused and listened to as a test wants. Nobody else uses it. */
export class Line implements Transport {
  /** The only bearer token that is let in; any when undefined. */
  admits: string | undefined;
  /** What an admission controller would answer; undefined lets it pass. */
  refuse: (request: TransportRequest) => string | undefined = () => undefined;
  readonly #cluster: Transport;
  #cut: AbortController | undefined;
  #watches = new AbortController();

  constructor(cluster: Transport) {
    this.#cluster = cluster;
  }

  cut(): void {
    this.#cut ??= new AbortController();
    this.#watches.abort(new ConnectionResetError());
  }

  mend(): void {
    this.#cut = undefined;
    this.#watches = new AbortController();
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    if (this.#cut) throw new ConnectionResetError();
    if (this.admits !== undefined && request.headers["authorization"] !== `Bearer ${this.admits}`)
      return failure(401, "Unauthorized", "Unauthorized");
    const refusal = request.method === "GET" ? undefined : this.refuse(request);
    if (refusal !== undefined) return failure(403, "Forbidden", refusal);
    const isWatch = request.path.includes("watch=");
    const signals = [...(isWatch ? [this.#watches.signal] : []), ...(request.signal ? [request.signal] : [])];
    return this.#cluster.send(signals.length > 0 ? { ...request, signal: AbortSignal.any(signals) } : request);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** An API server's own words for no. */
export function failure(code: number, reason: string, message: string): TransportResponse {
  const status = { apiVersion: "v1", kind: "Status", status: "Failure", code, reason, message };
  const body = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from(JSON.stringify(status));
  };
  return { status: code, headers: { "content-type": "application/json" }, body: body() };
}
