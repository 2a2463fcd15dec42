import { CoreEvent } from "@chaski/kube";
import { type Applied, createApplier } from "../apply/create-applier.ts";
import type { Applier } from "../apply/applier.ts";
import type { Client } from "../client/client.ts";
import { createClient } from "../client/create-client.ts";
import { LOCAL_CLUSTER } from "../clusters/cluster.ts";
import type { Fleet } from "../clusters/fleet.ts";
import { firstContact } from "../clusters/first-contact.ts";
import { ClusterFollower, membersOf } from "../clusters/source.ts";
import { ControllerLoop, type ControllerDependencies } from "../controller/controller-loop.ts";
import type { Urgency } from "../controller/controller.ts";
import { QueuedRecorder } from "../events/recorder.ts";
import { startHealthServer } from "../health/health-server.ts";
import { fencedTransport } from "../leader/fenced-transport.ts";
import { leaderMetrics } from "../metrics/client-metrics.ts";
import { controllerMetrics } from "../metrics/controller-metrics.ts";
import { type Metrics, silentMetrics } from "../metrics/metrics.ts";
import { prometheusMetrics } from "../metrics/prometheus.ts";
import { queueMetrics } from "../metrics/queue-metrics.ts";
import { recordTo } from "../recording/recorded-pass.ts";
import { type RunningClusters, startClusters } from "./clusters.ts";
import { isObserving, type Runtime, type RuntimeOptions } from "./runtime.ts";
import { startWebhooks } from "./webhooks.ts";

const DRAIN_MS = 25_000;

/** Composes one process from its options. Nothing runs before `start`, but for the caches, which warm up at once. */
export function createRuntime(options: RuntimeOptions): Runtime {
  return new ComposedRuntime(options);
}

class ComposedRuntime implements Runtime {
  readonly metrics: Metrics;
  readonly client;
  readonly ports: { health?: number; webhooks?: number } = {};
  readonly #options: RuntimeOptions;
  readonly #clusters: RunningClusters;
  readonly #applier: Applier;
  readonly #events: QueuedRecorder;
  readonly #loops: ReadonlyMap<string, ControllerLoop>;
  readonly #servers: { close(): Promise<void> }[] = [];
  readonly #stop = new AbortController();
  readonly #appliedTellers = new Set<(applied: Applied) => void>();
  #hasSynced = false;
  #serving: Promise<void> | undefined;
  #follower: ClusterFollower | undefined;

  constructor(options: RuntimeOptions) {
    this.#options = options;
    const { clock, random, leadership, name, delivery } = options;
    this.metrics = options.metrics ?? (options.health ? prometheusMetrics() : silentMetrics);
    const transport = fencedTransport(delivery.transport, () => !isObserving(options));
    this.client = createClient({ ...delivery, transport, cluster: LOCAL_CLUSTER, clock, random, userAgent: name });
    leaderMetrics(this.metrics, name, () => leadership.isLeading());
    this.#clusters = startClusters(options, this.metrics);
    this.#applier = createApplier({
      ...options.apply,
      delivery: delivery.name,
      clock,
      random,
      cluster: (cluster) => this.#clusters.registry.get(cluster),
      mayWrite: () => leadership.isLeading(),
      onApplied: (applied) => this.#appliedTellers.forEach((tell) => tell(applied)),
    });
    this.#events = this.#createRecorder();
    this.#loops = this.#createLoops();
    this.#applier.onResult((controller, key) => this.wake(controller, key));
  }

  get lost(): Promise<void> {
    return this.#options.leadership.lost;
  }

  get isLeading(): boolean {
    return this.#options.leadership.isLeading();
  }

  get fleet(): Fleet {
    return this.#clusters.registry;
  }

  clientOf(cluster: string): Client | undefined {
    return this.#clusters.registry.get(cluster)?.client;
  }

  setClusters(definitions: Parameters<Runtime["setClusters"]>[0]): void {
    this.#clusters.set(definitions);
  }

  wake(controller: string, key: string, urgency?: Urgency): void {
    this.#loops.get(controller)?.wake(key, urgency);
  }

  onApplied(tell: (applied: Applied) => void): Disposable {
    this.#appliedTellers.add(tell);
    return { [Symbol.dispose]: () => void this.#appliedTellers.delete(tell) };
  }

  async start(): Promise<void> {
    const synced = this.#clusters.delivery.caches.synced(this.#stop.signal);
    synced.then(
      () => (this.#hasSynced = true),
      () => undefined,
    );
    for (const loop of this.#loops.values()) loop.listen();
    this.#followClusters();
    this.#serving = this.#startServers();
    await this.#serving;
    const oriented = synced.then(() => this.#firstContact());
    oriented.catch(() => undefined);
    void this.#options.leadership.elected.then(() => this.#work(oriented));
  }

  async stop(): Promise<void> {
    const { clock, leadership, log, drainMs = DRAIN_MS } = this.#options;
    const deadline = clock.deadline(drainMs);
    const { signal } = deadline;
    this.#stop.abort(new Error("the process is stopping"));
    this.#follower?.stop();
    const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
      ["workers", () => Promise.all([...this.#loops.values()].map((loop) => loop.stop(signal)))],
      ["writes", () => this.#applier.drain(signal)],
      ["events", () => this.#events.flush()],
      ["lease", () => leadership.release()],
      ["servers that are starting", () => Promise.resolve(this.#serving)],
      ["servers", () => Promise.all(this.#servers.map((server) => server.close()))],
      ["clusters", () => Promise.all([this.#clusters.stop(), this.client.close()])],
    ];
    for (const [what, step] of steps) {
      await unlessAborted(step(), signal).catch((error: unknown) => log.warn("not stopped in order", { what, error }));
    }
    this.#events.stop();
    deadline.cancel();
  }

  #followClusters(): void {
    const { clusters: source, clock, log } = this.#options;
    if (!source) return;
    const { caches } = this.#clusters.delivery;
    const set = (definitions: Parameters<Runtime["setClusters"]>[0]): void => this.setClusters(definitions);
    this.#follower = new ClusterFollower({ source, caches, client: this.client, clock, log, set });
  }

  #firstContact(): Promise<void> {
    const { clusters: source, clock } = this.#options;
    const { delivery, registry: fleet } = this.#clusters;
    const members = (): readonly string[] => (source ? membersOf(source, delivery.caches) : []);
    return firstContact({ fleet, members, clock, signal: this.#stop.signal });
  }

  /** From here on this replica decides and writes. */
  #work(oriented: Promise<void>): void {
    if (this.#stop.signal.aborted) return;
    this.#options.log.info("this replica leads");
    for (const loop of this.#loops.values()) loop.start(oriented);
  }

  async #startServers(): Promise<void> {
    const { clock, health, webhooks } = this.#options;
    if (webhooks && !isObserving(this.#options)) {
      const server = await startWebhooks(this.#options, webhooks, this.client);
      this.ports.webhooks = server.port;
      this.#servers.push(server);
    }
    if (health) {
      const caches = (): string | undefined => (this.#hasSynced ? undefined : "the caches have not synced");
      const server = await startHealthServer({ ...health, clock, metrics: this.metrics, ready: { caches } });
      this.ports.health = server.port;
      this.#servers.push(server);
    }
  }

  #createRecorder(): QueuedRecorder {
    const { clock, random, name, instance, log } = this.#options;
    const dropped = this.metrics.counter({
      name: "events_dropped_total",
      help: "Events that could not be told, by why",
      labels: ["because"],
    });
    return new QueuedRecorder({
      events: this.#clusters.delivery.client.of(CoreEvent),
      source: { component: name, instance },
      clock,
      random,
      onDropped: ({ involvedObject, reason }, because) => {
        dropped.increase({ because });
        log.warn("an event was dropped", { because, reason, regarding: involvedObject.name });
      },
    });
  }

  #createLoops(): ReadonlyMap<string, ControllerLoop> {
    const { controllers, clock, random, log, leadership, recordings = [], version, isFrozen, delivery } = this.#options;
    const observer = controllerMetrics(this.metrics);
    const queues = queueMetrics(this.metrics);
    const shared: ControllerDependencies = {
      clock,
      random,
      log,
      fleet: this.#clusters.registry,
      applier: this.#applier,
      ...(!isObserving(this.#options) && { events: this.#events }),
      deliveryName: delivery.name,
      isLeading: () => leadership.isLeading(),
      ...(recordings.length > 0 && { record: recordTo(recordings, version) }),
      ...(isFrozen !== undefined && { freezesWorlds: isFrozen }),
    };
    return new Map(
      controllers.map((definition) => {
        const { name } = definition;
        const own = { observer: observer(name), queueObserver: queues.observer(name) };
        const loop = new ControllerLoop(definition, { ...shared, ...own });
        queues.watch(name, loop.queue);
        return [name, loop];
      }),
    );
  }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  if (signal.aborted) reject(signal.reason);
  else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return Promise.race([work, promise]);
}
