// A kubelet's part of a pod's life, one step per call, for tests that hold single pods back or make them fail. For
// clusters without KWOK.
import type { ApiRequest } from "./api.ts";
import type { ClusterAccess } from "./cluster-access.ts";

interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec: { readonly nodeName?: string; readonly containers: readonly { readonly name: string }[] };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

export type PodFilter = (name: string, labels: Readonly<Record<string, string>>) => boolean;

export class PodLifecycle {
  readonly #cluster: ClusterAccess;
  readonly #pods: string;
  readonly #nodeName = "lifecycle";

  constructor(cluster: ClusterAccess, namespace: string) {
    this.#cluster = cluster;
    this.#pods = `/api/v1/namespaces/${namespace}/pods`;
  }

  /** Names of the pods that are there, the deleted ones that still have to end among them. */
  async names(filter: PodFilter = () => true): Promise<string[]> {
    return (await this.#list(filter)).map(({ metadata }) => metadata.name);
  }

  /** Binds the pod to a node if nothing has, runs its containers and makes it ready. */
  async makeReady(name: string): Promise<void> {
    const pod = await this.#get(name);
    await this.#bind(pod);
    await this.#setStatus(pod, { phase: "Running", isReady: true, state: { running: { startedAt: timestamp() } } });
  }

  /** Running, but its readiness probe fails. */
  async makeUnready(name: string): Promise<void> {
    const pod = await this.#get(name);
    await this.#bind(pod);
    await this.#setStatus(pod, { phase: "Running", isReady: false, state: { running: { startedAt: timestamp() } } });
  }

  /** Waiting for ever, as with `ImagePullBackOff` or `CrashLoopBackOff`. */
  async makeStuck(name: string, reason: string): Promise<void> {
    const pod = await this.#get(name);
    await this.#bind(pod);
    await this.#setStatus(pod, { phase: "Pending", isReady: false, state: { waiting: { reason } } });
  }

  /** Ended for good. */
  async finish(name: string, exitCode: number): Promise<void> {
    const pod = await this.#get(name);
    const phase = exitCode === 0 ? "Succeeded" : "Failed";
    const terminated = { exitCode, reason: exitCode === 0 ? "Completed" : "Error", finishedAt: timestamp() };
    await this.#bind(pod);
    await this.#setStatus(pod, { phase, isReady: false, state: { terminated } });
  }

  /** One step for every pod of the namespace but those held back: deleted ones go, those that have not ended become ready. */
  async settle(isHeld: PodFilter = () => false): Promise<void> {
    const pods = await this.#list((name, labels) => !isHeld(name, labels));
    await Promise.all(
      pods.map(async (pod) => {
        if (pod.metadata.deletionTimestamp !== undefined) return this.#remove(pod.metadata.name);
        if (!isReady(pod) && !hasEnded(pod)) await this.makeReady(pod.metadata.name);
      }),
    );
  }

  async #list(filter: PodFilter): Promise<Pod[]> {
    const { items } = await this.#cluster.call<{ items: Pod[] }>({ path: this.#pods });
    return items.filter(({ metadata }) => filter(metadata.name, metadata.labels ?? {}));
  }

  async #get(name: string): Promise<Pod> {
    return this.#cluster.call<Pod>({ path: `${this.#pods}/${name}` });
  }

  async #bind({ metadata: { name }, spec }: Pod): Promise<void> {
    if (spec.nodeName !== undefined) return;
    // The garbage collector removes pods of nodes that do not exist.
    await this.#cluster.createIfMissing("/api/v1/nodes", { metadata: { name: this.#nodeName } });
    const target = { apiVersion: "v1", kind: "Node", name: this.#nodeName };
    await this.#send({ method: "POST", path: `${this.#pods}/${name}/binding`, body: { metadata: { name }, target } });
  }

  /** What a kubelet does when the containers of a deleted pod have ended. */
  async #remove(name: string): Promise<void> {
    const body = { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 0 };
    await this.#send({ method: "DELETE", path: `${this.#pods}/${name}`, body });
  }

  async #setStatus(pod: Pod, { phase, isReady, state }: PodState): Promise<void> {
    const status = isReady ? "True" : "False";
    const conditions = ["Initialized", "ContainersReady", "Ready"].map((type) => ({
      type,
      status: type === "Initialized" ? "True" : status,
      lastTransitionTime: timestamp(),
    }));
    const containerStatuses = pod.spec.containers.map(({ name }) => ({
      name,
      ready: isReady,
      started: isReady,
      restartCount: 0,
      image: "",
      imageID: "",
      state,
    }));
    await this.#send({
      method: "PATCH",
      path: `${this.#pods}/${pod.metadata.name}/status`,
      contentType: "application/merge-patch+json",
      body: { status: { phase, conditions, containerStatuses, startTime: timestamp() } },
    });
  }

  async #send(request: ApiRequest): Promise<void> {
    await this.#cluster.call(request);
  }
}

interface PodState {
  readonly phase: "Pending" | "Running" | "Succeeded" | "Failed";
  readonly isReady: boolean;
  readonly state: Readonly<Record<string, unknown>>;
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

function timestamp(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}
