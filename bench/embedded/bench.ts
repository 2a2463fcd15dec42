// The embedded API server beside the real one with its etcd, in one run: both over HTTPS in processes of their own, and
// the embedded one in this process too.
import { createEmbeddedCluster } from "@chaski/embedded";
import { startControlPlane } from "@chaski/test/kube";
import type { BenchOptions } from "../bench-options.ts";
import { atLeast, atMost, below, type Line } from "../line.ts";
import { HttpsClient } from "./https-client.ts";
import { InProcessClient } from "./in-process-client.ts";
import { type MeasuredServer, residentMegabytes, startEmbedded } from "./embedded-server.ts";
import { type Load, type Measured, measure } from "./load.ts";

const CLUSTERS = 20;

export async function benchEmbedded({ scale, log }: BenchOptions): Promise<Line[]> {
  log("the real API server");
  const real = await measured(await startReal(), { scale, log });
  log("the embedded one, over HTTPS");
  const embedded = await measured(await startEmbedded(), { scale, log });
  log("the embedded one, in this process");
  const cluster = await createEmbeddedCluster();
  const inProcess = await measure(new InProcessClient(cluster.transport), { scale, log });
  await cluster.close();
  log(`${CLUSTERS} embedded clusters in this process`);
  const twenty = await startMany();
  const lines = compare({ name: "over HTTPS", ours: embedded.load, theirs: real.load, writes: 3 });
  const direct = compare({ name: "in-process", ours: inProcess, theirs: real.load, writes: 10 });
  return [
    ...lines,
    ...direct,
    atMost(1 / 20, { what: "start-up", unit: "s", ours: embedded.startSeconds, anchor: real.startSeconds }),
    atMost(1, { what: "memory after the load", unit: "MB", ours: embedded.megabytes, anchor: real.megabytes }),
    below(3, { what: `${CLUSTERS} clusters in one process are ready`, unit: "s", ours: twenty.seconds }),
    below(500, { what: `${CLUSTERS} clusters in one process`, unit: "MB", ours: twenty.megabytes }),
  ];
}

interface ServerResult {
  readonly load: Measured;
  readonly startSeconds: number;
  readonly megabytes: number;
}

async function measured(server: MeasuredServer, load: Load): Promise<ServerResult> {
  try {
    const measured = await measure(server.client, load);
    return { load: measured, startSeconds: server.startSeconds, megabytes: await server.megabytes() };
  } finally {
    await server.stop();
  }
}

async function startReal(): Promise<MeasuredServer> {
  const startMs = performance.now();
  const plane = await startControlPlane({ name: "bench-embedded" });
  const startSeconds = (performance.now() - startMs) / 1_000;
  const { server, ca, credentials } = plane.admin.definition;
  const client = new HttpsClient(server, { ca, ...credentials });
  const pids = (["etcd", "kube-apiserver"] as const).flatMap((name) => plane.part(name).pid ?? []);
  return {
    client,
    startSeconds,
    megabytes: () => residentMegabytes(pids),
    stop: async () => {
      await client.close();
      await plane.stop();
    },
  };
}

async function startMany(): Promise<{ seconds: number; megabytes: number }> {
  const startMs = performance.now();
  const clusters = await Promise.all(Array.from({ length: CLUSTERS }, () => createEmbeddedCluster()));
  const seconds = (performance.now() - startMs) / 1_000;
  const megabytes = await residentMegabytes([process.pid]);
  await Promise.all(clusters.map((cluster) => cluster.close()));
  return { seconds, megabytes };
}

interface Compared {
  readonly name: string;
  readonly ours: Measured;
  readonly theirs: Measured;
  readonly writes: number;
}

function compare({ name, ours, theirs, writes }: Compared): Line[] {
  return [
    atLeast(writes, {
      what: `creates ${name}`,
      unit: "/s",
      ours: ours.createsPerSecond,
      anchor: theirs.createsPerSecond,
    }),
    atLeast(writes, {
      what: `server-side applies ${name}`,
      unit: "/s",
      ours: ours.appliesPerSecond,
      anchor: theirs.appliesPerSecond,
    }),
    atMost(1, { what: `list of 10,000 ${name}`, unit: "ms", ours: ours.listMs, anchor: theirs.listMs }),
    atLeast(1, {
      what: `events to 100 watchers ${name}`,
      unit: "/s",
      ours: ours.fanOutEventsPerSecond,
      anchor: theirs.fanOutEventsPerSecond,
    }),
  ];
}
