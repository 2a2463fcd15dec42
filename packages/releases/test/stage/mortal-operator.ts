import type { Transport, TransportRequest, TransportResponse } from "@chaski/kube";
import type { Runtime } from "@chaski/runtime";
import type { Wrap } from "./embedded-fleet.ts";
import type { EmbeddedScene } from "./embedded-scene.ts";

const UNNOTICED_MS = 5_000;
const unanswered = new Promise<never>(() => {});

export interface Fate {
  /** What was written since it was set, up to the death: `cluster METHOD path`. */
  readonly writes: readonly string[];
}

/** An operator that dies after so many writes, to whichever cluster: the last one is done, and nobody hears of it. */
export class MortalOperator {
  readonly #scene: EmbeddedScene;
  #left = Number.POSITIVE_INFINITY;
  #writes: string[] = [];
  #isAlive = false;

  constructor(scene: EmbeddedScene) {
    this.#scene = scene;
  }

  async start(): Promise<void> {
    const death = new AbortController();
    const wrap: Wrap = (transport, cluster) => ({
      send: (request) => (death.signal.aborted ? unanswered : this.#send(request, { transport, cluster, death })),
      close: () => transport.close(),
    });
    const operator = await this.#scene.startOperator({ wrap });
    death.signal.addEventListener("abort", () => void this.#succeed(operator));
    this.#isAlive = true;
  }

  /** False until the next one has begun. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** From now on; another one comes some seconds later, to stay. */
  dieAfter(writes: number): Fate {
    this.#left = writes;
    this.#writes = [];
    return { writes: this.#writes };
  }

  async #send(request: TransportRequest, { transport, cluster, death }: Way): Promise<TransportResponse> {
    if (request.method === "GET" || isEvent(request)) return transport.send(endedBy(request, death.signal));
    this.#writes.push(`${cluster} ${request.method} ${request.path.replace(/\?.*/, "")}`);
    this.#left--;
    if (this.#left > 0) return transport.send(request);
    this.dieAfter(Number.POSITIVE_INFINITY);
    this.#isAlive = false;
    death.abort();
    await transport.send(request);
    return unanswered;
  }

  async #succeed(dead: Runtime): Promise<void> {
    // Nothing of it gets out any more; it only has to stop thinking.
    void dead.stop();
    await this.#scene.fleet.clock.sleep(UNNOTICED_MS);
    await this.start();
  }
}

interface Way {
  readonly transport: Transport;
  readonly cluster: string;
  readonly death: AbortController;
}

function endedBy(request: TransportRequest, signal: AbortSignal): TransportRequest {
  return { ...request, signal: request.signal ? AbortSignal.any([request.signal, signal]) : signal };
}

/** Events tell of what was done; nothing depends on them. */
function isEvent({ path }: TransportRequest): boolean {
  return /\/events(\/|\?|$)/.test(path);
}
