import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { ConfigMap, ReplicaSet } from "@chaski/kube";
import { type ClusterAccess, startControlPlane } from "@chaski/test/kube";
import { useControlPlane } from "@chaski/test/kube/vitest";
import { expect, test } from "vitest";
import { clientOf, clock, realCache } from "./real-cache.ts";

const plane = useControlPlane({ name: "cache-scale" });

const OBJECTS = 10_000;
const BLOCK_MS_MAX = 100;
const HEAP_BYTES_MAX = 6 * 1_024;

/** About 6 KB on the wire, half of it managedFields, as a Deployment's ReplicaSet is. */
function replicaSet(namespace: string, index: number): ReplicaSet {
  const labels = { app: `app-${index % 100}`, tag: `v${index}`, team: "delivery", tier: "backend" };
  const probe = (path: string) => ({ httpGet: { path, port: 8080 }, periodSeconds: 10, failureThreshold: 3 });
  const env = Array.from({ length: 12 }, (_, number) => ({
    name: `SETTING_${number}`,
    value: `value-${number}-${index % 10}`,
  }));
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      namespace,
      name: `rs-${index}`,
      labels,
      annotations: { "deployment.kubernetes.io/revision": `${index}` },
    },
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: ["web", "proxy"].map((name) => ({
            name,
            image: `registry.example/team/${name}:v${index}`,
            env,
            ports: [{ name: "http", containerPort: 8080 }],
            resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { cpu: "1", memory: "512Mi" } },
            livenessProbe: probe("/livez"),
            readinessProbe: probe("/readyz"),
            volumeMounts: [{ name: "config", mountPath: "/etc/config" }],
          })),
          volumes: [{ name: "config", configMap: { name: "settings" } }],
        },
      },
    },
  };
}

/** Sixteen at a time. */
async function create(cluster: ClusterAccess, path: string, bodies: Iterator<object>): Promise<void> {
  const worker = async (): Promise<void> => {
    for (let next = bodies.next(); !next.done; next = bodies.next())
      await cluster.call({ method: "POST", path, body: next.value });
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

function* times<V>(count: number, make: (index: number) => V): Generator<V, void> {
  for (let index = 0; index < count; index++) yield make(index);
}

/** The longest time on the CPU between two turns of the event loop; waiting for a busy machine doesn't count. */
async function longestBlockMs(work: Promise<unknown>): Promise<number> {
  const turn = async (): Promise<number> => {
    const before = process.threadCpuUsage();
    await clock.sleep(1);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
  const isOver = work.then(() => true);
  let longestMs = 0;
  do longestMs = Math.max(longestMs, await turn());
  while (!(await Promise.race([isOver, Promise.resolve(false)])));
  return longestMs;
}

function heapUsed(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

test("10,000 ReplicaSets: synced without a block over 100 ms, at most 6 KB of heap each", async () => {
  const namespace = await plane.current.createNamespace();
  const path = `/apis/apps/v1/namespaces/${namespace}/replicasets`;
  await create(
    plane.current,
    path,
    times(OBJECTS, (index) => replicaSet(namespace, index)),
  );
  const heapBefore = heapUsed();
  const startedMs = clock.monotonic();
  await using watched = await realCache({ kind: ReplicaSet, user: plane.current.admin, isFrozen: false });
  const blockMs = await longestBlockMs(watched.synced());
  const tookMs = clock.monotonic() - startedMs;
  expect(watched.cache.inNamespace(namespace).list()).toHaveLength(OBJECTS);
  const heapEach = (heapUsed() - heapBefore) / OBJECTS;
  console.info(
    `synced in ${tookMs.toFixed()} ms, longest block ${blockMs.toFixed()} ms, ${heapEach.toFixed()} bytes each`,
  );
  expect(blockMs).toBeLessThan(BLOCK_MS_MAX);
  expect(heapEach).toBeLessThan(HEAP_BYTES_MAX);
}, 300_000);

test("a server without streaming lists is listed in pages, and remembered", async () => {
  await using old = await startControlPlane({
    name: "no-watch-list",
    apiServerFlags: ["--feature-gates=WatchList=false"],
  });
  const namespace = await old.createNamespace();
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await create(
    old,
    path,
    times(1_200, (index) => ({ metadata: { name: `c${index}` } })),
  );
  await using watched = await realCache({ kind: ConfigMap, namespace, user: old.admin });
  await watched.synced();
  // The server puts one of its own into every namespace, if its controller manager runs; here it doesn't.
  expect(watched.cache.list()).toHaveLength(1_200);
  expect(watched.facts("failed")).toEqual([]);
  const direct = (await clientOf(old.admin)).of(ConfigMap);
  await direct.delete({ namespace, name: "c7" });
  await expect.poll(() => watched.cache.list().length).toBe(1_199);
});
