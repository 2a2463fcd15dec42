// A cluster reduced to what a Canary can see: Deployments whose pods come and go as a Deployment controller would have
// it, one observation at a time. Only the engine's own writes may lower availability; pods fail when the test says so.
import type { Canary, CanaryStatus } from "@chaski/api";
import type { ControllerRevision, Deployment } from "@chaski/kube";
import type { Decision, Entry } from "@chaski/runtime/decision";
import type { CanaryWorld } from "../src/index.ts";

interface Pod {
  readonly image: string;
  isReady: boolean;
}

interface ModelDeployment {
  object: Deployment;
  pods: Pod[];
}

/** A write of the engine that took serving pods away. */
export interface Loss {
  readonly entry: Entry;
  readonly before: number;
  readonly after: number;
}

export class ModelCluster {
  canary: Canary;
  readonly losses: Loss[] = [];
  readonly events: string[] = [];
  writes = 0;
  nowMs = Date.UTC(2026, 0, 1);
  readonly #deployments = new Map<string, ModelDeployment>();
  readonly #history = new Map<string, ControllerRevision>();

  constructor(canary: Canary, ...deployments: readonly Deployment[]) {
    this.canary = canary;
    for (const object of deployments) {
      const pods = Array.from({ length: object.spec.replicas ?? 1 }, () => ({ image: imageOf(object), isReady: true }));
      this.#deployments.set(object.metadata.name, { object, pods });
    }
    this.observe();
  }

  world(): CanaryWorld {
    const deployments = [...this.#deployments.values()].map(({ object }) => object);
    const history = [...this.#history.values()];
    return {
      nowMs: this.nowMs,
      canary: this.canary,
      deployments,
      history,
      autoscalers: [],
      neighbours: [],
      owned: [...deployments.filter(({ metadata }) => metadata.ownerReferences !== undefined), ...history],
      results: [],
    };
  }

  deployment(name: string): Deployment | undefined {
    return this.#deployments.get(name)?.object;
  }

  available(): number {
    return [...this.#deployments.values()].reduce((sum, { pods }) => sum + readyOf(pods), 0);
  }

  pods(name: string): readonly Pod[] {
    return this.#deployments.get(name)?.pods ?? [];
  }

  /** Does what was decided, as the applier would; `limit` cuts it off after so many writes, as a crash would. */
  take(decision: Decision<CanaryStatus>, limit = Number.POSITIVE_INFINITY): void {
    if (decision.status) this.canary = { ...this.canary, status: decision.status };
    for (const { patch } of decision.patches) this.#patchCanary(patch);
    const entries = decision.desired.flatMap((cluster) => cluster.entries);
    let left = limit;
    for (const entry of entries) if (left-- > 0) this.#take(entry);
    this.events.push(...decision.events.map(({ reason }) => reason).filter((reason) => reason !== "Synced"));
  }

  /** One round of the Deployment controllers: pods are made and removed, numbers are reported. */
  observe(): void {
    for (const deployment of this.#deployments.values()) {
      this.#rollOut(deployment);
      this.#report(deployment);
    }
  }

  /** Makes pods ready; the Deployment's numbers tell so when it is next observed. */
  becomeReady(isPicked: () => boolean): void {
    for (const { pods } of this.#deployments.values()) for (const pod of pods) if (isPicked()) pod.isReady = true;
  }

  /** Makes pods fail, and tells at once: what nobody could know is nobody's fault. */
  failPods(isPicked: () => boolean): void {
    for (const deployment of this.#deployments.values()) {
      for (const pod of deployment.pods) if (isPicked()) pod.isReady = false;
      this.#report(deployment);
    }
  }

  #patchCanary(patch: Readonly<Record<string, unknown>>): void {
    const metadata = patch["metadata"] as Partial<Canary["metadata"]> | undefined;
    this.canary = { ...this.canary, metadata: { ...this.canary.metadata, ...metadata } };
    this.writes++;
  }

  #take(entry: Entry): void {
    const before = this.available();
    if (entry.ref.kind.kind === "ControllerRevision") this.#takeHistory(entry);
    else this.#takeDeployment(entry);
    const after = this.available();
    if (after < before) this.losses.push({ entry, before, after });
  }

  #takeHistory(entry: Entry): void {
    if (entry.verb === "apply") this.#history.set(entry.ref.name, entry.object as ControllerRevision);
    if (entry.verb === "remove") this.#history.delete(entry.ref.name);
  }

  #takeDeployment(entry: Entry): void {
    const existing = this.#deployments.get(entry.ref.name);
    switch (entry.verb) {
      case "apply":
        return existing ? this.#update(existing, entry.object as Deployment) : this.#create(entry);
      case "scale":
        return existing && this.#scale(existing, entry.replicas);
      case "remove":
        return void this.#deployments.delete(entry.ref.name);
      case "keep":
        return undefined;
    }
  }

  #create(entry: Extract<Entry, { verb: "apply" }>): void {
    const initial = (entry.initial as { spec?: Deployment["spec"] } | undefined)?.spec;
    if (!initial) return;
    const object = { ...(entry.object as Deployment), spec: initial };
    const metadata = { ...object.metadata, generation: 1, uid: `uid-${object.metadata.name}` };
    const deployment: ModelDeployment = { object: { ...object, metadata }, pods: [] };
    this.#deployments.set(entry.ref.name, deployment);
    this.#update(deployment, entry.object as Deployment);
  }

  #update(deployment: ModelDeployment, applied: Deployment): void {
    const { object } = deployment;
    const image = applied.spec?.template?.spec?.containers[0]?.image;
    const { ownerReferences: _before, ...metadata } = object.metadata;
    const owners = applied.metadata.ownerReferences;
    const next = image === undefined || image === imageOf(object) ? object : withImage(object, image);
    deployment.object = {
      ...next,
      metadata: { ...metadata, ...(owners && { ownerReferences: owners }), generation: next.metadata.generation ?? 1 },
    };
  }

  #scale(deployment: ModelDeployment, replicas: number): void {
    const { object, pods } = deployment;
    if (object.spec.replicas === replicas) return;
    this.writes++;
    const generation = (object.metadata.generation ?? 1) + 1;
    deployment.object = { ...object, metadata: { ...object.metadata, generation }, spec: { ...object.spec, replicas } };
    // Removed at once, those that are not ready first: the worst that a scale-down can do.
    if (pods.length > replicas)
      deployment.pods = pods.toSorted((a, b) => Number(b.isReady) - Number(a.isReady)).slice(0, replicas);
  }

  /** maxUnavailable 0: a pod of the earlier template goes only for a ready one of the present template. */
  #rollOut(deployment: ModelDeployment): void {
    const wanted = deployment.object.spec.replicas ?? 1;
    const image = imageOf(deployment.object);
    const current = deployment.pods.filter((pod) => pod.image === image);
    const outdated = deployment.pods.filter((pod) => pod.image !== image);
    const surge = outdated.length > 0 ? 1 : 0;
    while (current.length < wanted && current.length + outdated.length < wanted + surge)
      current.push({ image, isReady: false });
    while (outdated.length > 0 && readyOf(current) + readyOf(outdated) > wanted) outdated.pop();
    if (current.length >= wanted && readyOf(current) >= wanted) outdated.length = 0;
    deployment.pods = [...current, ...outdated];
  }

  #report(deployment: ModelDeployment): void {
    const { object, pods } = deployment;
    const ofTemplate = pods.filter(({ image }) => image === imageOf(object));
    const status = {
      observedGeneration: object.metadata.generation ?? 1,
      replicas: pods.length,
      updatedReplicas: ofTemplate.length,
      availableReplicas: readyOf(pods),
    };
    deployment.object = { ...object, status };
  }
}

function readyOf(pods: readonly Pod[]): number {
  return pods.filter(({ isReady }) => isReady).length;
}

function imageOf({ spec }: Deployment): string {
  return spec.template.spec?.containers[0]?.image ?? "";
}

function withImage(object: Deployment, image: string): Deployment {
  const { template } = object.spec;
  const containers = (template.spec?.containers ?? []).map((container) => ({ ...container, image }));
  const generation = (object.metadata.generation ?? 1) + 1;
  return {
    ...object,
    metadata: { ...object.metadata, generation },
    spec: { ...object.spec, template: { ...template, spec: { ...template.spec, containers } } },
  };
}
