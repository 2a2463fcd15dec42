import type { Transport } from "@chaski/kube";
import type { Runtime } from "@chaski/runtime";
import { type EmbeddedFleet, type EmbeddedFleetOptions, embeddedFleet, type Wrap } from "./embedded-fleet.ts";
import { DRAIN_MS, newOperator, type OperatorOptions } from "./operator.ts";
import { FleetRecorder } from "./recorder.ts";
import { isUpkeep, type Scene } from "./scene.ts";

/** An embedded fleet with its recorder; operators come and go. */
export class EmbeddedScene implements Scene {
  readonly fleet: EmbeddedFleet;
  readonly recorder: FleetRecorder;
  readonly stage: Scene["stage"];
  readonly drainMs = DRAIN_MS;
  readonly #operators: Runtime[] = [];
  readonly #requests: string[] = [];

  private constructor(fleet: EmbeddedFleet) {
    this.fleet = fleet;
    this.stage = fleet.stage();
    this.recorder = new FleetRecorder(fleet.targets, fleet);
  }

  static async open(options: EmbeddedFleetOptions = {}): Promise<EmbeddedScene> {
    const scene = new EmbeddedScene(await embeddedFleet(options));
    await scene.recorder.ready();
    return scene;
  }

  /** `wrap` stands between this operator and every cluster. */
  async startOperator(options: Partial<OperatorOptions> & { readonly wrap?: Wrap } = {}): Promise<Runtime> {
    const { clock, random, delivery } = this.fleet;
    const { wrap = (transport) => transport, ...rest } = options;
    const heard: Wrap = (transport, cluster) => this.#heard(wrap(transport, cluster));
    const source = this.fleet.source(heard);
    const operator = newOperator(
      { transport: heard(delivery.transport, "delivery") },
      { clock, random, source, ...rest },
    );
    this.#operators.push(operator);
    await operator.start();
    return operator;
  }

  /** What operators ask of any cluster from now on, watches left out. */
  listenToOperators(): readonly string[] {
    const requests = this.#requests;
    requests.length = 0;
    return requests;
  }

  readonly requestsDuring: Scene["requestsDuring"] = async (act) => {
    const requests = this.listenToOperators();
    await act();
    return requests.flatMap((request) => {
      const [method = "", path = ""] = request.split(" ");
      return isUpkeep(method, path) ? [] : [describedRequest(method, path)];
    });
  };

  /** Every rule that was broken at some moment. */
  broken(): readonly string[] {
    return this.recorder.broken(this.stage.place, this.drainMs);
  }

  #heard(transport: Transport): Transport {
    const send: Transport["send"] = (request) => {
      if (!request.path.includes("watch=")) this.#requests.push(`${request.method} ${request.path}`);
      return transport.send(request);
    };
    return { send, close: () => transport.close() };
  }

  async stopOperators(): Promise<void> {
    const stopped = Promise.all(this.#operators.splice(0).map((operator) => operator.stop()));
    await this.fleet.clock.advance(60_000);
    await stopped;
  }

  async close(): Promise<void> {
    const stopped = this.recorder.stop();
    await this.stopOperators();
    await stopped;
    await this.fleet.close();
  }
}

const OBJECT = /\/(?<resource>[^/]+)\/(?<name>[^/?]+)(?<subresource>\/(?:status|scale))?(?:\?|$)/;

/** `patch virtualservices echo`. */
function describedRequest(method: string, path: string): string {
  const { resource = path, name = "", subresource = "" } = OBJECT.exec(path)?.groups ?? {};
  return `${method.toLowerCase()} ${resource}${subresource} ${name}`;
}
