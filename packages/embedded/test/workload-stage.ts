// One namespace of one cluster, in the words of workloads: the same for the embedded cluster and a real one.
import type { CoreEvent, Deployment, Pod, ReplicaSet } from "@chaski/kube";
import type { Requests } from "../conformance/requests.ts";

export interface DeploymentShape {
  readonly name?: string;
  readonly replicas?: number;
  readonly image?: string;
  readonly cpu?: string;
  readonly spec?: object;
}

export class WorkloadStage {
  readonly requests: Requests;
  readonly namespace: string;

  constructor(requests: Requests, namespace = "default") {
    this.requests = requests;
    this.namespace = namespace;
  }

  path(plural: string, name?: string): string {
    const root = { deployments: "/apis/apps/v1", replicasets: "/apis/apps/v1" }[plural] ?? "/api/v1";
    return `${root}/namespaces/${this.namespace}/${plural}${name === undefined ? "" : `/${name}`}`;
  }

  async deploy({ name = "web", replicas = 1, image = "web:1", cpu, spec }: DeploymentShape = {}): Promise<void> {
    const labels = { app: name };
    const resources = cpu === undefined ? {} : { requests: { cpu } };
    await this.#ok(
      this.requests.post(this.path("deployments"), {
        metadata: { name },
        spec: {
          replicas,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: "web", image, resources }] } },
          ...spec,
        },
      }),
    );
  }

  async setImage(image: string): Promise<void> {
    await this.change({ template: { spec: { containers: [{ name: "web", image }] } } });
  }

  async scale(replicas: number): Promise<void> {
    await this.change({ replicas });
  }

  async change(spec: object): Promise<void> {
    await this.#ok(this.requests.strategic(this.path("deployments", "web"), { spec }));
  }

  async deployment(): Promise<Deployment> {
    return (await this.#ok(this.requests.get(this.path("deployments", "web")))) as Deployment;
  }

  /** `type=status reason` of each condition, sorted. */
  async conditions(): Promise<string[]> {
    const { status } = await this.deployment();
    return (status?.conditions ?? []).map(({ type, status, reason }) => `${type}=${status} ${reason}`).toSorted();
  }

  async replicaSets(): Promise<ReplicaSet[]> {
    return this.#list<ReplicaSet>("replicasets");
  }

  /** Wanted sizes by image, as `web:1=3`, empty ones left out. */
  async sizes(): Promise<string[]> {
    const sizes = (await this.replicaSets()).filter(({ spec }) => (spec.replicas ?? 0) > 0);
    return sizes.map(({ spec }) => `${spec.template?.spec.containers[0]?.image}=${spec.replicas}`).toSorted();
  }

  async pods(image?: string): Promise<Pod[]> {
    const pods = await this.#list<Pod>("pods");
    return image === undefined ? pods : pods.filter(this.hasImage(image));
  }

  hasImage(image: string): (pod: Pod) => boolean {
    return ({ spec }) => spec?.containers[0]?.image === image;
  }

  async events(reason?: string): Promise<CoreEvent[]> {
    return (await this.#list<CoreEvent>("events")).filter((event) => reason === undefined || event.reason === reason);
  }

  async #list<T>(plural: string): Promise<T[]> {
    return ((await this.#ok(this.requests.get(this.path(plural)))) as { items: T[] }).items;
  }

  async #ok(answer: ReturnType<Requests["get"]>): Promise<unknown> {
    const { status, body } = await answer;
    if (status >= 400) throw new Error(JSON.stringify(body));
    return body;
  }
}
