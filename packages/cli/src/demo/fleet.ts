// Clusters in this process, reached as any other: over HTTPS, by a Cluster and its Secret.
import { Cluster, canaryResource, crdOf, joinedCluster, releaseResources } from "@chaski/api";
import { type Clock, systemRandom } from "@chaski/clock";
import { createEmbeddedCluster, type EmbeddedCluster, type Listening } from "@chaski/embedded";
import { CustomResourceDefinition, type Kind, Namespace, Secret } from "@chaski/kube";
import { optionalKinds } from "@chaski/operator";
import { type Client, createClient } from "@chaski/runtime";
import { stringify } from "yaml";
import { FLEET, NAMESPACE } from "./objects.ts";

export interface DemoCluster {
  readonly name: string;
  readonly cluster: EmbeddedCluster;
  readonly client: Client;
  readonly listening: Listening;
}

export interface DemoFleet {
  readonly delivery: DemoCluster;
  readonly targets: readonly DemoCluster[];
  /** With a context for each cluster; the delivery cluster is the current one. */
  readonly kubeconfig: string;
  close(): Promise<void>;
}

const NAMES = ["lima", "cusco", "quito"];

export async function startFleet(clock: Clock, size: number, podReadyAfterMs: number): Promise<DemoFleet> {
  const names = Array.from({ length: size }, (_, index) => NAMES[index] ?? `cluster-${index + 1}`);
  const workloads = { nodes: 3, readyAfterMs: podReadyAfterMs };
  const start = async (name: string): Promise<DemoCluster> => {
    const cluster = await createEmbeddedCluster({ clock, workloads });
    const client = createClient({ cluster: name, transport: cluster.transport, clock, random: systemRandom });
    return { name, cluster, client, listening: await cluster.listen() };
  };
  const [delivery, ...targets] = await Promise.all(["delivery", ...names].map(start));
  if (!delivery) throw new Error("a fleet has a delivery cluster");
  await Promise.all([prepareDelivery(delivery), ...targets.map(prepareTarget)]);
  for (const target of targets) await join(delivery.client, target);
  const all = [delivery, ...targets];
  return {
    delivery,
    targets,
    kubeconfig: kubeconfigOf(all),
    close: async () => void (await Promise.all(all.map(({ cluster }) => cluster.close()))),
  };
}

async function prepareDelivery({ client }: DemoCluster): Promise<void> {
  const definitions = [canaryResource, ...releaseResources].map((resource) => crdOf(resource));
  await Promise.all(
    definitions.map((crd) => client.of(CustomResourceDefinition).create(crd as unknown as CustomResourceDefinition)),
  );
  await client.of(Namespace).create({ apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } });
}

async function prepareTarget({ client }: DemoCluster): Promise<void> {
  await Promise.all(optionalKinds.map((kind) => client.of(CustomResourceDefinition).create(openDefinition(kind))));
}

/** Kinds of other projects, with whatever is in them. */
function openDefinition({ group, version, kind, plural }: Kind): CustomResourceDefinition {
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, annotations: { "api-approved.kubernetes.io": "unapproved, a demo" } },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

const ingresses = {
  public: { dnsName: "", gateway: "istio-system/public", defaultDomains: [] },
  private: { dnsName: "", gateway: "istio-system/private", defaultDomains: ["example.invalid"] },
};

async function join(delivery: Client, { name, listening: { url, ca, token } }: DemoCluster): Promise<void> {
  const { secret, cluster } = joinedCluster({
    name,
    namespace: NAMESPACE,
    fleet: FLEET,
    server: url,
    authority: ca,
    user: { token },
    spec: { ingresses },
  });
  await delivery.of(Secret).create(secret);
  await delivery.of(Cluster).create(cluster);
}

function kubeconfigOf(clusters: readonly DemoCluster[]): string {
  const each = (make: (cluster: DemoCluster) => object): readonly object[] =>
    clusters.map((cluster) => ({ name: cluster.name, ...make(cluster) }));
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "delivery",
    clusters: each(({ listening }) => ({
      cluster: { server: listening.url, "certificate-authority-data": base64(listening.ca) },
    })),
    users: each(({ listening }) => ({ user: { token: listening.token } })),
    contexts: each(({ name }) => ({ context: { cluster: name, user: name, namespace: NAMESPACE } })),
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
