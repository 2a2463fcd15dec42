// The embedded API server beside the real one with its etcd, in one run: both over HTTPS in processes of their own, and
// the embedded one in this process too.
import { createEmbeddedCluster } from "@chaski/embedded";
import { startControlPlane } from "@chaski/test/kube";
import type { BenchOptions } from "../bench-options.ts";
import { alone, atLeast, atMost, below, type Line, shown } from "../line.ts";
import { FROM_SOURCES, type MeasuredServer, residentMegabytes, startEmbedded, withBundle } from "./embedded-server.ts";
import { HttpsClient } from "./https-client.ts";
import { InProcessClient } from "./in-process-client.ts";
import { type Load, type Measured, measure } from "./load.ts";
import { inProcessStartSeconds, measureStartUp, type StartUp, startMany } from "./start-up.ts";

const CLUSTERS = 20;

export async function benchEmbedded({ scale, log }: BenchOptions): Promise<Line[]> {
  const inProcessStart = await inProcessStartSeconds();
  log("the real API server");
  const real = await measured(await startReal(), { scale, log });
  const { embedded, bundled } = await withBundle(async (program) => {
    log("the embedded one, bundled, over HTTPS");
    const startUp = await measureStartUp(program);
    return { bundled: startUp, embedded: await measured(await startEmbedded(program), { scale, log }) };
  });
  log("the embedded one, from its sources");
  const fromSources = await measureStartUp(FROM_SOURCES);
  log("the embedded one, in this process");
  const inProcess = await measureInProcess({ scale, log });
  log(`${CLUSTERS} embedded clusters in one process`);
  const twenty = await startMany(CLUSTERS);
  const { startSeconds: anchor } = real;
  return [
    ...compare({ name: "over HTTPS", ours: embedded.load, theirs: real.load, writes: 3 }),
    ...compare({ name: "in-process", ours: inProcess, theirs: real.load, writes: 10 }),
    atMost(1 / 20, { what: "start-up, bundled", unit: "s", ours: bundled.seconds, anchor }),
    shown({ what: "start-up, from sources", unit: "s", ours: fromSources.seconds, anchor }),
    atMost(1 / 20, { what: "start-up in-process", unit: "s", ours: inProcessStart, anchor }),
    ...startUpLines("bundled", bundled),
    ...startUpLines("from sources", fromSources),
    atMost(1, { what: "memory after the load", unit: "MB", ours: embedded.megabytes, anchor: real.megabytes }),
    below(3, { what: `${CLUSTERS} clusters in one process are ready`, unit: "s", ours: twenty.seconds }),
    below(500, { what: `${CLUSTERS} clusters in one process`, unit: "MB", ours: twenty.megabytes }),
  ];
}

function startUpLines(name: string, { firstSeconds, ownSeconds, megabytes }: StartUp): Line[] {
  return [
    alone({ what: `first start-up ever, ${name}`, unit: "s", ours: firstSeconds }),
    below(0.5, { what: `start-up after Node's own, ${name}`, unit: "s", ours: ownSeconds }),
    below(150, { what: `memory when ready, ${name}`, unit: "MB", ours: megabytes }),
  ];
}

async function measureInProcess(load: Load): Promise<Measured> {
  const cluster = await createEmbeddedCluster();
  const client = new InProcessClient(cluster.transport);
  const measured = await measure(client, load);
  await client.close();
  await cluster.close();
  return measured;
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
