import { Canary, type Canary as CanaryObject, type CanarySpec } from "@chaski/api";
import { Deployment, isTrue } from "@chaski/kube";
import { type Client, NotFound } from "@chaski/runtime";

/** A cluster with an operator on it, embedded or real: what a test of the wing needs and nothing else. */
export interface Platform {
  readonly client: Client;
  /** Waits for a condition, in the time of that cluster. */
  until(what: string, holds: () => Promise<boolean>): Promise<void>;
  /** Lets so much of the cluster's time pass. */
  pass(ms: number): Promise<void>;
}

/** One namespace of a platform, in words of the domain. */
export class Stage {
  readonly namespace: string;
  readonly #platform: Platform;

  constructor(platform: Platform, namespace: string) {
    this.#platform = platform;
    this.namespace = namespace;
  }

  get client(): Client {
    return this.#platform.client;
  }

  async serve(name: string, { image = "shop:1", replicas = 6 } = {}): Promise<void> {
    const labels = { app: "shop", version: name };
    const containers = [{ name: "shop", image }];
    await this.client.of(Deployment).create({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name, namespace: this.namespace },
      spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
    });
    await this.until(
      `${name} serves`,
      async () => (await this.deployment(name))?.status?.availableReplicas === replicas,
    );
  }

  async release(spec: Partial<CanarySpec> = {}): Promise<void> {
    await this.create({
      type: "CanaryDeploy",
      oldDeploymentName: "shop-v1",
      newDeploymentName: "shop-v2",
      image: "shop:2",
      replicas: 6,
      totalBatches: 3,
      ...spec,
    });
  }

  async create(spec: CanarySpec): Promise<void> {
    const metadata = { name: "shop", namespace: this.namespace };
    await this.client
      .of(Canary)
      .create({ apiVersion: "canarycontroller.chaski.dev/v1alpha1", kind: "Canary", metadata, spec });
  }

  async edit(spec: Partial<CanarySpec>): Promise<void> {
    await this.client.of(Canary).patch(this.#key("shop"), "merge", { spec });
  }

  async delete(): Promise<void> {
    await this.client.of(Canary).delete(this.#key("shop"));
  }

  canary(): Promise<CanaryObject | undefined> {
    return this.#find(this.client.of(Canary).get(this.#key("shop")));
  }

  deployment(name: string): Promise<Deployment | undefined> {
    return this.#find(this.client.of(Deployment).get(this.#key(name)));
  }

  /** Waits until the Canary's status says so. */
  async untilStatus(what: string, holds: (status: NonNullable<CanaryObject["status"]>) => boolean): Promise<void> {
    await this.until(what, async () => {
      const canary = await this.canary();
      return canary?.status?.observedGeneration === canary?.metadata.generation && holds(canary?.status ?? {});
    });
  }

  untilPaused(batch: string): Promise<void> {
    return this.untilStatus(`paused at ${batch}`, (status) => status.paused === true && status.batch === batch);
  }

  untilReady(): Promise<void> {
    return this.untilStatus("ready", ({ conditions }) => isTrue(conditions, "Ready"));
  }

  /** Waits until what {@link deployments} tells is this. */
  untilThereIs(deployments: string): Promise<void> {
    return this.until(`there is ${deployments}`, async () => (await this.deployments()) === deployments);
  }

  untilStalled(reason: string): Promise<void> {
    return this.untilStatus(`stalled by ${reason}`, ({ conditions = [] }) =>
      conditions.some((each) => each.type === "Stalled" && each.status === "True" && each.reason === reason),
    );
  }

  until(what: string, holds: () => Promise<boolean>): Promise<void> {
    return this.#platform.until(what, holds);
  }

  pass(ms: number): Promise<void> {
    return this.#platform.pass(ms);
  }

  /** Pods asked for and images: `shop-v1 5 × shop:1, shop-v2 1 × shop:2`. */
  async deployments(): Promise<string> {
    const { items } = await this.client.of(Deployment).list({ namespace: this.namespace });
    return items
      .map(({ metadata, spec }) => `${metadata.name} ${spec.replicas} × ${spec.template.spec?.containers[0]?.image}`)
      .toSorted()
      .join(", ");
  }

  #key(name: string): { namespace: string; name: string } {
    return { namespace: this.namespace, name };
  }

  async #find<T>(answer: Promise<T>): Promise<T | undefined> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }
}
