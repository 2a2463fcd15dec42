// One delivery and three target control planes with KWOK.
import { join as joined } from "node:path";
import { crdOf, releaseResources } from "@chaski/api";
import { RealClock, systemRandom } from "@chaski/clock";
import { fleetCrds } from "@chaski/embedded";
import { type Client, connect, loadKubeconfig, thisMachine } from "@chaski/runtime";
import { type ControlPlane, type ControlPlaneOptions, type KubeUser, startControlPlane } from "@chaski/test/kube";
import { auditTally } from "../canaries/tally.ts";
import type { FleetCall, FleetGround } from "./ground.ts";
import { define, join } from "./objects.ts";

const USER = "chaski";
const NAMES = ["east", "north", "west"];
const AUDIT = { audit: "Metadata", apiServerFlags: ["--audit-log-maxsize=100000"] } as const;
const clock = new RealClock();

export async function realGround(options: Pick<ControlPlaneOptions, "hasShyControllers"> = {}): Promise<FleetGround> {
  const plane = await startControlPlane({ name: "fleet-bench", ...AUDIT });
  const targets = await Promise.all(NAMES.map((name) => newTarget(name, options)));
  const delivery = await clientOf(plane);
  await define(delivery, releaseResources.map(crdOf));
  for (const { name, user } of targets) await join(delivery, { name, ...accessOf(user) });
  const visitor = await plane.addUser(USER, ["system:masters"]);
  const planes = [{ name: "delivery", plane }, ...targets];
  const tallies = planes.map(({ name, plane }) => ({ name, tally: auditTally(auditLog(plane), USER) }));
  return {
    name: "real",
    delivery,
    targets,
    bare: targets.map(({ client }) => client),
    kubeconfigPath: visitor.kubeconfigPath,
    calls: inTurn(tallies),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([delivery, ...targets.map(({ client }) => client)].map((client) => client.close()));
      await Promise.all(planes.map(({ plane }) => plane.stop()));
    },
  };
}

interface ClusterTally {
  readonly name: string;
  readonly tally: () => Promise<readonly Omit<FleetCall, "cluster">[]>;
}

/** What came since the last time is at the end, of whichever cluster. */
function inTurn(tallies: readonly ClusterTally[]): FleetGround["calls"] {
  const seen: FleetCall[] = [];
  const counts = new Map<string, number>();
  return async () => {
    for (const { name, tally } of tallies) {
      const calls = await tally();
      seen.push(...calls.slice(counts.get(name) ?? 0).map((call) => ({ ...call, cluster: name })));
      counts.set(name, calls.length);
    }
    return [...seen];
  };
}

async function newTarget(name: string, options: ControlPlaneOptions) {
  const plane = await startControlPlane({
    name: `fleet-bench-${name}`,
    controllerManager: true,
    scheduler: true,
    kwok: true,
    controllerManagerFlags: ["--concurrent-replicaset-syncs=10"],
    ...AUDIT,
    ...options,
  });
  const client = await clientOf(plane);
  await define(client, fleetCrds());
  return { name, plane, client, user: await plane.addUser(USER, ["system:masters"]) };
}

function auditLog({ coordinates }: ControlPlane): string {
  return joined(coordinates.folder, "audit.log");
}

async function clientOf({ admin }: ControlPlane): Promise<Client> {
  const kubeconfig = await loadKubeconfig(thisMachine(clock), admin.kubeconfigPath);
  return connect(await kubeconfig.connection(), { clock, random: systemRandom, userAgent: "bench" });
}

function accessOf({ definition: { server, ca, credentials } }: KubeUser) {
  const user: Readonly<Record<string, string>> =
    "token" in credentials
      ? { token: credentials.token }
      : { "client-certificate-data": base64(credentials.certificate), "client-key-data": base64(credentials.key) };
  return { server, authority: ca, user };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
