import { RealClock, systemRandom } from "@chaski/clock";
import type { ConfigMap, Deployment } from "@chaski/kube";
import { type Client, connect, kubeconfigFromData } from "@chaski/runtime";
import { type ClusterAccess, CuttableProxy, type KubeUser, sharedControlPlane } from "@chaski/test/kube";
import { afterAll, beforeAll } from "vitest";

export const clock = new RealClock();

/** The shared API server, a namespace of one's own in it, and clients that are closed in the end. */
export class RealSite {
  readonly plane: ClusterAccess;
  readonly proxy: CuttableProxy;
  readonly namespace: string;
  readonly #clients: Client[] = [];

  constructor(plane: ClusterAccess, proxy: CuttableProxy, namespace: string) {
    this.plane = plane;
    this.proxy = proxy;
    this.namespace = namespace;
  }

  async client(user: KubeUser = this.plane.admin, kubeconfig = user.kubeconfig): Promise<Client> {
    const connection = await kubeconfigFromData(Buffer.from(kubeconfig), user.kubeconfigPath).connection();
    return this.closing(connect(connection, { clock, random: systemRandom, cluster: "real" }));
  }

  /** The admin's, over the proxy. */
  clientThroughProxy(): Promise<Client> {
    return this.client(this.plane.admin.through(this.proxy.url));
  }

  closing(client: Client): Client {
    this.#clients.push(client);
    return client;
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((each) => each.close()));
    await this.proxy.stop();
  }

  configMap(name: string, data: Record<string, string> = {}): ConfigMap {
    return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: this.namespace, name }, data };
  }

  deployment(name: string): Deployment {
    return {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { namespace: this.namespace, name },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: name } },
        template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "web", image: "web:1" }] } },
      },
    };
  }
}

/** Filled before the first test of the file. */
export function useRealSite(): { readonly current: RealSite } {
  const holder: { site?: RealSite } = {};
  beforeAll(async () => {
    const plane = await sharedControlPlane();
    const proxy = await CuttableProxy.start(plane.server);
    holder.site = new RealSite(plane, proxy, await plane.createNamespace("client"));
  });
  afterAll(() => holder.site?.close());
  return {
    get current() {
      if (!holder.site) throw new Error("the site is not ready before the first test");
      return holder.site;
    },
  };
}
