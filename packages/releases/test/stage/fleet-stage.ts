import {
  Cluster,
  type ExternalTest,
  type IncarnationStatus,
  ReleaseManager,
  releaseKeys,
  Revision,
  type RevisionTarget,
} from "@chaski/api";
import { CoreEvent, findCondition, isTrue, type KubeObject, Namespace, Pod, ReplicaSet, Secret } from "@chaski/kube";
import { type Client, NotFound } from "@chaski/runtime";
import { liveRouteOf, subsetsOf } from "../../src/controllers/live-route.ts";
import { coreKinds, DestinationRule, optionalKinds, VirtualService } from "../../src/objects/kinds.ts";
import { BUILT_IN } from "./placed.ts";

/** A fleet with an operator on it, embedded or real: what a test of the wing needs and nothing else. */
export interface Platform {
  readonly delivery: Client;
  readonly targets: readonly Target[];
  /** Waits for a condition, in the time of the fleet. */
  until(what: string, holds: () => Promise<boolean>): Promise<void>;
  /** Lets so much of the fleet's time pass. */
  pass(ms: number): Promise<void>;
  now(): number;
}

/** A cluster that runs workloads, and how the operator gets there. */
export interface Target {
  readonly name: string;
  readonly client: Client;
  /** The same cluster for a program that says so of itself; who it is decides nothing. */
  readonly clientOf: (userAgent: string) => Client;
  readonly server: string;
  /** PEM. */
  readonly authority: string;
  readonly authInfo: Readonly<Record<string, string>>;
}

const FLEET = "production";
export const TARGET = "production";
const HEADER = "echo-tag";

/** One app on a fleet, in words of the domain. */
export class FleetStage {
  readonly app: string;
  readonly namespace: string;
  readonly #platform: Platform;
  #minutes = 0;

  constructor(platform: Platform, names: { readonly app: string; readonly namespace: string }) {
    this.#platform = platform;
    this.app = names.app;
    this.namespace = names.namespace;
  }

  get targets(): readonly Target[] {
    return this.#platform.targets;
  }

  get delivery(): Client {
    return this.#platform.delivery;
  }

  /** The namespace on every cluster. */
  get place(): string {
    return `${this.app}-${TARGET}`;
  }

  async join(target: Target, changes: Partial<Cluster["spec"]> = {}): Promise<void> {
    await this.writeCredentials(target, target.authInfo);
    await this.delivery.of(Cluster).create(this.#cluster(target, changes));
  }

  async joinAll(changes: Readonly<Record<string, Partial<Cluster["spec"]>>> = {}): Promise<void> {
    for (const target of this.targets) await this.join(target, changes[target.name]);
  }

  /** The fleet of this namespace is no more, and what was released there is nobody's concern. */
  async leave(): Promise<void> {
    const { items } = await this.delivery.of(Revision).list({ namespace: this.namespace });
    for (const { metadata } of items) await found(this.delivery.of(Revision).delete(metadata));
    for (const { name } of this.targets) await found(this.delivery.of(Cluster).delete(this.#key(name)));
    await this.#platform.until("the clusters have left", async () => {
      return (await this.delivery.of(Cluster).list({ namespace: this.namespace })).items.length === 0;
    });
  }

  async writeCredentials({ name }: Target, authInfo: Readonly<Record<string, string>>): Promise<void> {
    const metadata = { name, namespace: this.namespace };
    const data = { "auth-info": Buffer.from(JSON.stringify(authInfo)).toString("base64") };
    const secret: Secret = { apiVersion: "v1", kind: "Secret", metadata, data };
    await this.delivery.of(Secret).apply(secret, { fieldManager: "person", force: true });
  }

  /** Each later than the one before. */
  async release(
    tag: string,
    target: Partial<RevisionTarget> = {},
    spec: Partial<Revision["spec"]> = {},
    { name = tag, annotations = {} }: { readonly name?: string; readonly annotations?: Record<string, string> } = {},
  ): Promise<void> {
    this.#minutes++;
    const committed = new Date(this.#platform.now() - 3_600_000 + this.#minutes * 60_000).toISOString();
    await this.delivery.of(Revision).create({
      apiVersion: "picchu.medium.engineering/v1alpha1",
      kind: "Revision",
      metadata: {
        name: `${this.app}-${name}`,
        namespace: this.namespace,
        annotations: { [releaseKeys.annotations.committerTimestamp]: committed, ...annotations },
      },
      spec: {
        app: { name: this.app, ref: "main", tag, image: `registry.invalid/${this.app}:${tag}` },
        failed: false,
        tagRoutingHeader: HEADER,
        targets: [aTarget(target)],
        ...spec,
      },
    });
  }

  /** All the way. */
  async released(tag: string, target: Partial<RevisionTarget> = {}): Promise<void> {
    await this.release(tag, target);
    await this.untilReleased(tag);
  }

  async edit(tag: string, patch: Readonly<Record<string, unknown>>): Promise<void> {
    await this.delivery.of(Revision).patch(this.#key(`${this.app}-${tag}`), "merge", patch);
  }

  /** Its target, with its external test so far. */
  async testedTarget(tag: string, test: Partial<ExternalTest>): Promise<RevisionTarget> {
    const [target] = (await this.revision(tag))?.spec.targets ?? [];
    if (!target) throw new Error(`there is no ${tag}`);
    const externalTest = { enabled: true, started: true, completed: false, ...target.externalTest, ...test };
    return { ...target, externalTest };
  }

  async deleteReleaseManager(): Promise<void> {
    await this.delivery.of(ReleaseManager).delete(this.#key(this.place));
  }

  async editCluster(name: string, spec: Partial<Cluster["spec"]>): Promise<void> {
    await this.delivery.of(Cluster).patch(this.#key(name), "merge", { spec });
  }

  async fail(tag: string): Promise<void> {
    await this.edit(tag, { spec: { failed: true } });
  }

  async delete(tag: string): Promise<void> {
    await this.delivery.of(Revision).delete(this.#key(`${this.app}-${tag}`));
  }

  revision(tag: string): Promise<Revision | undefined> {
    return found(this.delivery.of(Revision).get(this.#key(`${this.app}-${tag}`)));
  }

  async revisions(): Promise<readonly Revision[]> {
    return (await this.delivery.of(Revision).list({ namespace: this.namespace })).items;
  }

  releaseManager(): Promise<ReleaseManager | undefined> {
    return found(this.delivery.of(ReleaseManager).get(this.#key(this.place)));
  }

  async entry(tag: string): Promise<IncarnationStatus | undefined> {
    return (await this.releaseManager())?.status?.revisions?.find((entry) => entry.tag === tag);
  }

  async untilState(tag: string, state: string): Promise<void> {
    await this.until(`${tag} is ${state}`, async () => (await this.entry(tag))?.state.current === state);
  }

  /** Told by the Revision's own condition, as `kubectl wait` would see it. */
  async untilReleased(tag: string): Promise<void> {
    await this.until(`${tag} is released`, async () =>
      isTrue((await this.revision(tag))?.status?.conditions, "Released"),
    );
  }

  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    try {
      await this.#platform.until(what, holds);
    } catch (error) {
      throw new Error(`${String(error)}\n${await this.report()}`, { cause: error });
    }
  }

  pass(ms: number): Promise<void> {
    return this.#platform.pass(ms);
  }

  /** `v1 20, v2 80`, in the order of tags; what every cluster's route says, once if they agree. */
  async weights(): Promise<string> {
    const all = await Promise.all(this.targets.map((target) => this.weightsOn(target)));
    return [...new Set(all)].join(" | ");
  }

  async weightsOn({ client }: Target): Promise<string> {
    const route = await found(client.of(VirtualService).get({ namespace: this.place, name: this.app }));
    return route ? counted(liveRouteOf(route).weights) : "none";
  }

  /** Pods asked for by tag, per cluster, once if they agree: `v1 0, v2 2`. */
  async replicas(): Promise<string> {
    const all = await Promise.all(this.targets.map((target) => this.replicasOn(target)));
    return [...new Set(all)].join(" | ");
  }

  async replicasOn({ client }: Target): Promise<string> {
    const { items } = await client.of(ReplicaSet).list({ namespace: this.place });
    return counted(Object.fromEntries(items.map(({ metadata, spec }) => [metadata.name, spec?.replicas ?? 0])));
  }

  async subsetsOn({ client }: Target): Promise<string> {
    const rule = await found(client.of(DestinationRule).get({ namespace: this.place, name: this.app }));
    return rule ? subsetsOf(rule).join(", ") : "none";
  }

  /** Everything of the namespace on a cluster, as `Kind name`, sorted; without what Kubernetes itself puts there. */
  async objectsOn({ client }: Target): Promise<readonly string[]> {
    const kinds = [...coreKinds, ...optionalKinds].filter(({ kind }) => kind !== Namespace.kind);
    const lists = await Promise.all(kinds.map((kind) => client.of<KubeObject>(kind).list({ namespace: this.place })));
    const own = lists.flatMap(({ items }, index) =>
      items.map(({ metadata }) => `${kinds[index]?.kind} ${metadata.name}`),
    );
    return own.filter((name) => !BUILT_IN.has(name)).toSorted();
  }

  /** On every cluster: `east v1-x7f2k`, sorted. */
  async pods(): Promise<readonly string[]> {
    const lists = await Promise.all(
      this.targets.map(async ({ name, client }) => {
        const { items } = await client.of(Pod).list({ namespace: this.place });
        return items.map(({ metadata }) => `${name} ${metadata.name} ${metadata.uid ?? ""}`);
      }),
    );
    return lists.flat().toSorted();
  }

  async hasNamespaceOn({ client }: Target): Promise<boolean> {
    return (await found(client.of(Namespace).get({ name: this.place }))) !== undefined;
  }

  async events(): Promise<readonly string[]> {
    const { items } = await this.delivery.of(CoreEvent).list({ namespace: this.namespace });
    return items.map(({ involvedObject, reason, message }) => `${involvedObject.kind} ${reason}: ${message}`);
  }

  /** Events follow behind what they tell. */
  async untilEvent(told: RegExp): Promise<void> {
    await this.until(`an event tells ${told.source}`, async () =>
      (await this.events()).some((event) => told.test(event)),
    );
  }

  /** What the release waits for: `Observed default/west the message`. */
  async closedGates(): Promise<readonly string[]> {
    const gates = (await this.releaseManager())?.status?.gates ?? [];
    return gates
      .filter(({ verdict }) => verdict !== "passed")
      .map(({ name, cluster = "", message }) => `${name} ${cluster} ${message}`);
  }

  /** `False Unreachable: the message`. */
  async clusterCondition(name: string, type: string): Promise<string | undefined> {
    const { status } = await this.delivery.of(Cluster).get(this.#key(name));
    const condition = findCondition(status?.conditions, type);
    return condition && `${condition.status} ${condition.reason}: ${condition.message}`;
  }

  /** For the message of a test that waited in vain. */
  async report(): Promise<string> {
    const manager = await this.releaseManager();
    const clusters = await this.delivery.of(Cluster).list({ namespace: this.namespace });
    const lines = [
      ...(manager?.status?.revisions ?? []).map(
        ({ tag, state, currentPercent, scale }) =>
          `${tag} ${state.current} ${currentPercent} % ${JSON.stringify(scale)}`,
      ),
      ...(manager?.status?.gates ?? []).filter(({ verdict }) => verdict !== "passed").map(({ message }) => message),
      ...(manager?.status?.conditions ?? []).map(({ type, status, message }) => `${type} ${status}: ${message}`),
      ...clusters.items.map(({ metadata, status }) => `${metadata.name} ${JSON.stringify(status?.conditions)}`),
      `weights ${await this.weights().catch(String)}`,
      `replicas ${await this.replicas().catch(String)}`,
    ];
    return lines.join("\n");
  }

  #cluster({ name, server, authority }: Target, changes: Partial<Cluster["spec"]>): Cluster {
    return {
      apiVersion: "picchu.medium.engineering/v1alpha1",
      kind: "Cluster",
      metadata: { name, namespace: this.namespace, labels: { [releaseKeys.labels.fleet]: FLEET } },
      spec: {
        enabled: true,
        config: { server, "certificate-authority-data": Buffer.from(authority).toString("base64") },
        ingresses: {
          public: { dnsName: "", gateway: "istio-system/public", defaultDomains: [] },
          private: { dnsName: "", gateway: "istio-system/private", defaultDomains: ["example.invalid"] },
        },
        ...changes,
      },
    };
  }

  #key(name: string): { namespace: string; name: string } {
    return { namespace: this.namespace, name };
  }
}

function aTarget(target: Partial<RevisionTarget>): RevisionTarget {
  return {
    name: TARGET,
    fleet: FLEET,
    scale: { min: 6, default: 6, max: 12 },
    ports: [{ name: "http", mode: "private", port: 80, containerPort: 8080, ingresses: ["private"] }],
    defaultIngressPorts: { private: "http" },
    ...target,
    release: {
      eligible: true,
      scalingStrategy: "geometric",
      geometricScaling: { start: 10, factor: 2, delay: "1s" },
      schedule: "always",
      ...target.release,
    },
  };
}

function counted(numbers: Readonly<Record<string, number>>): string {
  const parts = Object.entries(numbers).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return parts.length === 0 ? "none" : parts.map(([name, number]) => `${name} ${number}`).join(", ");
}

export async function found<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
