// Our side of the informer's benchmarks, the counterpart of go/informer.go: fills a cache, says when it has synced, and
// measures how late updates arrive. It says when it is loaded, hears the lines `start`, `reset`, `report` and `collect`,
// besides `unwatched`, after which the event loop is not measured, and ends with its standard input.
import { createInterface } from "node:readline";
import { RealClock, systemRandom } from "@chaski/clock";
import { ConfigMap, type KubeObject, ReplicaSet } from "@chaski/kube";
import { connect, createCaches, loadKubeconfig, thisMachine } from "@chaski/runtime";
import { LoopWatch } from "./loop-watch.ts";

const KINDS = { ReplicaSet, ConfigMap };
const [kubeconfigPath = "", kindName = ""] = process.argv.slice(2);
const kind = KINDS[kindName as keyof typeof KINDS];

/** The last samples only, so that a long run costs no memory. */
const samplesNs = new Float64Array(2 ** 14);
let events = 0;
const loop = new LoopWatch();

const clock = new RealClock();
const kubeconfig = await loadKubeconfig(thisMachine(clock), kubeconfigPath);
const client = connect(await kubeconfig.connection(), { clock, random: systemRandom });
const caches = createCaches({ client, clock, random: systemRandom });
caches.declare<KubeObject>(kind, { namespace: "bench" });
caches.of<KubeObject>(kind).subscribe((event) => {
  if (event.type === "updated") observe(event.object);
});

const stop = new AbortController();
say({ isLoaded: true });
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "start") await sync();
  if (line === "report") say(report());
  if (line === "collect") say({ isCollected: collect() });
  if (line === "unwatched") loop.stop();
  if (line === "reset") {
    events = 0;
    loop.reset();
  }
}
process.exit();

async function sync(): Promise<void> {
  const startMs = clock.monotonic();
  loop.start();
  caches.start(stop.signal);
  await caches.synced(stop.signal);
  const syncedMs = clock.monotonic() - startMs;
  say({ syncedMs, objects: caches.of<KubeObject>(kind).list().length, ...loop.longest });
}

function observe(object: KubeObject): void {
  const sentAt = (object as ConfigMap).data?.["sentAt"];
  if (sentAt === undefined) return;
  samplesNs[events % samplesNs.length] = Number(process.hrtime.bigint() - BigInt(sentAt));
  events++;
}

function report(): Record<string, number> {
  const sorted = samplesNs.slice(0, Math.min(events, samplesNs.length)).toSorted();
  const percentileMs = (share: number): number =>
    (sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)] ?? 0) / 1e6;
  return { events, p50Ms: percentileMs(0.5), p99Ms: percentileMs(0.99), ...loop.longest };
}

/** Gives what is free back to the system, as debug.FreeOSMemory does on the other side. Needs --expose-gc. */
function collect(): boolean {
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
  return globalThis.gc !== undefined;
}

function say(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
