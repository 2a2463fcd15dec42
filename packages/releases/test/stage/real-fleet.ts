import { crdOf, releaseResources } from "@chaski/api";
import { RealClock, systemRandom } from "@chaski/clock";
import { CustomResourceDefinition } from "@chaski/kube";
import { type Client, connect, kubeconfigFromData, undiciTransport, type Connection } from "@chaski/runtime";
import { type ControlPlane, startControlPlane, until } from "@chaski/test/kube";
import { installNeededCrds } from "../needed-crds.ts";
import type { Platform, Target } from "./fleet-stage.ts";

export interface RealTarget extends Target {
  readonly plane: ControlPlane;
}

export interface RealFleet {
  readonly clock: RealClock;
  readonly plane: ControlPlane;
  readonly targets: readonly RealTarget[];
  readonly platform: Platform;
  /** How an operator reaches the delivery cluster. */
  readonly connection: Connection;
  stop(): Promise<void>;
}

const WITHIN_MS = 120_000;
const NAMES = ["east", "north", "west"];
const clock = new RealClock();
const time = { clock, random: systemRandom };

/** One delivery and, unless others are named, three target clusters with all that makes pods ready, and the CRDs as their projects have them. */
export async function realFleet(names: readonly string[] = NAMES): Promise<RealFleet> {
  const plane = await startControlPlane({ name: "delivery", audit: "Metadata" });
  const targets: RealTarget[] = [];
  for (const name of names) targets.push(await newTarget(name));
  const connection = await connectionTo(plane);
  const delivery = connect(connection, { ...time, cluster: "delivery", userAgent: "test" });
  for (const resource of releaseResources)
    await define(delivery, crdOf(resource) as unknown as CustomResourceDefinition);
  const platform: Platform = {
    delivery,
    targets,
    now: () => clock.now(),
    pass: (ms) => clock.sleep(ms),
    until: (what, holds) =>
      until(async () => (await holds()) || undefined, { what, withinMs: WITHIN_MS }).then(() => undefined),
  };
  return {
    clock,
    plane,
    targets,
    platform,
    connection,
    stop: async () => {
      await Promise.all([delivery, ...targets.map(({ client }) => client)].map((client) => client.close()));
      await Promise.all([plane, ...targets.map((target) => target.plane)].map((each) => each.stop()));
    },
  };
}

export function deliveryLink({ endpoint, credentials }: Connection) {
  return { transport: undiciTransport(endpoint), ...(credentials && { credentials }) };
}

async function newTarget(name: string): Promise<RealTarget> {
  const parts = { controllerManager: true, scheduler: true, kwok: true };
  const plane = await startControlPlane({ name, audit: "Metadata", ...parts });
  await installNeededCrds(plane);
  const connection = await connectionTo(plane);
  const clientOf = (userAgent: string): Client => connect(connection, { ...time, cluster: name, userAgent });
  const client = clientOf("test");
  const { cluster, user } = entriesOf(plane.admin.kubeconfig);
  return { name, plane, client, clientOf, server: cluster.server, authority: decoded(cluster), authInfo: user };
}

interface Entries {
  readonly cluster: { readonly server: string; readonly "certificate-authority-data": string };
  readonly user: Readonly<Record<string, string>>;
}

function entriesOf(kubeconfig: string): Entries {
  const document = JSON.parse(kubeconfig) as {
    clusters: readonly Pick<Entries, "cluster">[];
    users: readonly Pick<Entries, "user">[];
  };
  const [cluster] = document.clusters;
  const [user] = document.users;
  if (!cluster || !user) throw new Error("the kubeconfig of a control plane has one cluster and one user");
  return { ...cluster, ...user };
}

function decoded(cluster: Entries["cluster"]): string {
  return Buffer.from(cluster["certificate-authority-data"], "base64").toString();
}

function connectionTo(plane: ControlPlane): Promise<Connection> {
  return kubeconfigFromData(Buffer.from(plane.admin.kubeconfig), "test").connection();
}

async function define(client: Client, definition: CustomResourceDefinition): Promise<void> {
  await client.of(CustomResourceDefinition).apply(definition, { fieldManager: "test", force: true });
}
