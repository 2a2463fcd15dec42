// Clusters in this process, reached by the operator as any other: over HTTPS, by a Cluster and its Secret.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as joined } from "node:path";
import { crdOf, releaseResources } from "@chaski/api";
import { RealClock, systemRandom } from "@chaski/clock";
import { createEmbeddedCluster, fleetCrds, type Listening, type WorkloadsOptions } from "@chaski/embedded";
import type { TransportRequest } from "@chaski/kube";
import { type Client, connect, createClient, kubeconfigFromData } from "@chaski/runtime";
import { callTo } from "../canaries/tally.ts";
import type { FleetCall, FleetGround } from "./ground.ts";
import { define, join } from "./objects.ts";

const clock = new RealClock();

export async function embeddedGround(targetCount: number, workloads: WorkloadsOptions = {}): Promise<FleetGround> {
  const calls: FleetCall[] = [];
  const names = Array.from({ length: targetCount }, (_, index) => `cluster-${index + 1}`);
  const delivery = await newCluster("delivery", calls);
  await define(delivery.client, releaseResources.map(crdOf));
  const targets = await Promise.all(names.map((name) => newCluster(name, calls, workloads)));
  for (const { name, client, listening } of targets) {
    await define(client, fleetCrds());
    const { url: server, ca: authority, token } = listening;
    await join(delivery.client, { name, server, authority, user: { token } });
  }
  const folder = await mkdtemp(joined(tmpdir(), "chaski-bench-"));
  const kubeconfigPath = joined(folder, "kubeconfig");
  await writeFile(kubeconfigPath, delivery.listening.kubeconfig, { mode: 0o600 });
  const bare = await Promise.all(targets.map(({ listening }) => networkClient(listening)));
  return {
    name: "embedded",
    bare,
    delivery: delivery.client,
    targets,
    kubeconfigPath,
    calls: () => Promise.resolve([...calls]),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(bare.map((client) => client.close()));
      await Promise.all([delivery, ...targets].map(({ cluster }) => cluster.close()));
      await rm(folder, { recursive: true });
    },
  };
}

async function newCluster(name: string, calls: FleetCall[], workloads?: WorkloadsOptions) {
  const audit = (request: TransportRequest, status: number): void => {
    if (request.headers["user-agent"]?.startsWith("chaski")) calls.push({ cluster: name, ...callOf(request, status) });
  };
  const cluster = await createEmbeddedCluster({ clock, audit, ...(workloads && { workloads }) });
  const { transport } = cluster;
  const client = createClient({ cluster: name, transport, clock, random: systemRandom, userAgent: "bench" });
  const listening: Listening = await cluster.listen();
  return { name, cluster, client, listening };
}

async function networkClient(listening: Listening): Promise<Client> {
  const kubeconfig = kubeconfigFromData(Buffer.from(listening.kubeconfig), "bench");
  return connect(await kubeconfig.connection(), { clock, random: systemRandom, userAgent: "bench" });
}

const PATH =
  /^\/apis?(?:\/[^/]+)?\/v[^/]+(?:\/namespaces\/(?<namespace>[^/]+)(?=\/\w+))?\/(?<resource>[^/]+)(?:\/(?<name>[^/]+))?(?:\/(?<subresource>[^/]+))?$/;
const VERBS: Readonly<Record<string, string>> = { POST: "create", PUT: "update", PATCH: "patch", DELETE: "delete" };

function callOf({ method, path, body }: TransportRequest, code: number) {
  const [route = "", query = ""] = path.split("?");
  const { groups = {} } = PATH.exec(route) ?? {};
  const isWatch = query.includes("watch=");
  const reading = isWatch ? "watch" : groups["name"] === undefined ? "list" : "get";
  const verb = VERBS[method] ?? reading;
  // Who creates names the object in the body.
  const created = verb === "create" && body !== undefined ? nameIn(body) : {};
  return callTo({ ...groups, ...created }, { atMs: clock.now(), verb, uri: path, code });
}

function nameIn(body: string): { readonly name?: string } {
  const { metadata } = JSON.parse(body) as { readonly metadata?: { readonly name?: string } };
  return metadata?.name === undefined ? {} : { name: metadata.name };
}
