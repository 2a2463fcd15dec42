// Nodes that exist in name only, whose pods become ready by themselves.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { downloadModule } from "./assets-build.ts";
import { KWOK_VERSION } from "./assets-versions.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { until } from "./until.ts";

const STAGES = [
  "node/fast/node-initialize.yaml",
  "node/heartbeat-with-lease/node-heartbeat-with-lease.yaml",
  "pod/fast/pod-ready.yaml",
  "pod/fast/pod-complete.yaml",
  "pod/fast/pod-delete.yaml",
];

/** KWOK's own stages as the one file that it is started with. */
export async function writeStages(folder: string): Promise<string> {
  const module = await downloadModule(`sigs.k8s.io/kwok@${KWOK_VERSION}`);
  const stages = await Promise.all(STAGES.map((file) => readFile(join(module, "kustomize/stage", file), "utf8")));
  const path = join(folder, "kwok-stages.yaml");
  await writeFile(path, stages.join("\n---\n"));
  return path;
}

interface Node {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** A node with room for many pods; ready when this returns. */
export async function addFakeNode(cluster: ClusterAccess, name: string): Promise<void> {
  const resources = { cpu: "1k", memory: "1Ti", pods: "10k" };
  await cluster.createIfMissing("/api/v1/nodes", {
    metadata: { name, labels: { "kubernetes.io/hostname": name, type: "kwok" } },
    status: { allocatable: resources, capacity: resources },
  });
  await until(
    async () => {
      const { status } = await cluster.call<Node>({ path: `/api/v1/nodes/${name}` });
      return status?.conditions?.some((one) => one.type === "Ready" && one.status === "True") || undefined;
    },
    { what: `node ${name} is ready` },
  );
}
