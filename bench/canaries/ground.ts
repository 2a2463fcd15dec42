// Where the sides compete: a cluster, embedded or real.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canaryResource, crdOf } from "@chaski/api";
import { RealClock, systemRandom } from "@chaski/clock";
import { createEmbeddedCluster } from "@chaski/embedded";
import { CustomResourceDefinition, Namespace } from "@chaski/kube";
import { type Client, connect, createClient, loadKubeconfig, NotFound, thisMachine } from "@chaski/runtime";
import { startControlPlane, until } from "@chaski/test/kube";
import { forEach } from "../for-each.ts";
import { argoCrds } from "./argo-rollouts.ts";
import { auditTally, metricsTally, type Tally } from "./tally.ts";

export interface Visitor {
  readonly kubeconfigPath: string;
  readonly tally: Tally;
}

export interface Ground extends AsyncDisposable {
  readonly client: Client;
  /** Lets a program in, under a name of its own. */
  admit(name: string, healthPort: number): Promise<Visitor>;
}

const REMOVAL_MS_MAX = 900_000;

export async function realGround(): Promise<Ground> {
  const plane = await startControlPlane({
    name: "canary-bench",
    controllerManager: true,
    scheduler: true,
    kwok: true,
    audit: "Metadata",
    // Never begun anew, which 0 does not mean: what is in an earlier file would not be counted.
    apiServerFlags: ["--audit-log-maxsize=100000"],
    // As many as each side has workers: both need pods, and ours needs the Deployments that it scales to be followed.
    controllerManagerFlags: ["--concurrent-deployment-syncs=10", "--concurrent-replicaset-syncs=10"],
  });
  const clock = new RealClock();
  const kubeconfig = await loadKubeconfig(thisMachine(clock), plane.admin.kubeconfigPath);
  const client = connect(await kubeconfig.connection(), { clock, random: systemRandom });
  await client.of(CustomResourceDefinition).create(crdOf(canaryResource) as unknown as CustomResourceDefinition);
  for (const file of await argoCrds()) await plane.kubectl(["apply", "--server-side", "-f", file]);
  return {
    client,
    admit: async (name) => {
      const { kubeconfigPath } = await plane.addUser(name, ["system:masters"]);
      return { kubeconfigPath, tally: auditTally(join(plane.coordinates.folder, "audit.log"), name) };
    },
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await plane.stop();
    },
  };
}

export async function embeddedGround(): Promise<Ground> {
  const clock = new RealClock();
  const cluster = await createEmbeddedCluster({ clock, workloads: {} });
  const client = createClient({ cluster: "embedded", transport: cluster.transport, clock, random: systemRandom });
  await client.of(CustomResourceDefinition).create(crdOf(canaryResource) as unknown as CustomResourceDefinition);
  const folder = await mkdtemp(join(tmpdir(), "chaski-bench-"));
  const kubeconfigPath = join(folder, "kubeconfig");
  const { kubeconfig } = await cluster.listen();
  await writeFile(kubeconfigPath, kubeconfig, { mode: 0o600 });
  return {
    client,
    admit: (_name, healthPort) =>
      Promise.resolve({ kubeconfigPath, tally: metricsTally(`http://127.0.0.1:${healthPort}/metrics`) }),
    [Symbol.asyncDispose]: async () => {
      await cluster.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Namespaces that are gone, with all their pods, when the work in them is over: what is left would slow the next. */
export async function inNamespaces<T>(client: Client, names: readonly string[], work: () => Promise<T>): Promise<T> {
  const namespaces = client.of(Namespace);
  await forEach(names, (name) => namespaces.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } }));
  const result = await work();
  await forEach(names, (name) => namespaces.delete({ name }));
  await forEach(names, (name) => untilGone(client, name));
  return result;
}

async function untilGone(client: Client, name: string): Promise<void> {
  const isGone = (): Promise<true | undefined> =>
    client
      .of(Namespace)
      .get({ name })
      .then(
        () => undefined,
        (error: unknown) => (error instanceof NotFound ? true : undefined),
      );
  await until(isGone, { what: `namespace ${name} is gone`, withinMs: REMOVAL_MS_MAX, everyMs: 1_000 });
}
