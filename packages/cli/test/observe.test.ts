// `chaski operator --observe` as a process beside a fleet: what a user reads, and that nothing is written.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crdOf, ReleaseManager, releaseResources, Revision } from "@chaski/api";
import { RealClock, systemRandom } from "@chaski/clock";
import { createEmbeddedCluster, type EmbeddedCluster, fleetCrds } from "@chaski/embedded";
import { CustomResourceDefinition, type KubeObject, Service } from "@chaski/kube";
import { coreKinds, optionalKinds, VirtualService } from "@chaski/releases";
import { type Client, createClient } from "@chaski/runtime";
import { until } from "@chaski/test/kube";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FleetStage, type Platform, type Target } from "../../releases/test/stage/fleet-stage.ts";
import { newOperator } from "../../releases/test/stage/operator.ts";
import { rewriteAs } from "../../releases/test/stage/takeover.ts";

const LONG = { timeout: 120_000 };
const clock = new RealClock();
const time = { clock, random: systemRandom };
const clusters: EmbeddedCluster[] = [];
let folder = "";
let stage: FleetStage;

/** v1 is released on one cluster; the operator that did it has gone. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chaski-observe-"));
  const delivery = await open("delivery", releaseResources.map(crdOf), {});
  const east = await open("east", fleetCrds(), { workloads: { nodes: 1, readyAfterMs: 10 } });
  await writeFile(join(folder, "kubeconfig"), (await delivery.cluster.listen()).kubeconfig);
  const { url, ca, token } = await east.cluster.listen();
  const target: Target = { ...east, name: "east", server: url, authority: ca, authInfo: { token } };
  const platform: Platform = {
    delivery: delivery.client,
    targets: [target],
    now: () => clock.now(),
    pass: (ms) => clock.sleep(ms),
    until: async (what, holds) => {
      await until(async () => (await holds()) || undefined, { what });
    },
  };
  stage = new FleetStage(platform, { app: "echo", namespace: "default" });
  const operator = newOperator({ transport: delivery.cluster.transport }, { ...time, deliveryName: "delivery" });
  await operator.start();
  await stage.join(target);
  await stage.release("v1");
  await stage.untilReleased("v1");
  await stage.pass(2_000);
  await operator.stop();
}, 120_000);

afterAll(async () => {
  for (const cluster of clusters) await cluster.close();
  if (folder) await rm(folder, { recursive: true });
});

async function open(name: string, crds: readonly unknown[], options: Parameters<typeof createEmbeddedCluster>[0]) {
  const cluster = await createEmbeddedCluster({ ...time, ...options });
  clusters.push(cluster);
  const clientOf = (userAgent: string): Client =>
    createClient({ cluster: name, transport: cluster.transport, ...time, userAgent });
  const client = clientOf("test");
  for (const crd of crds) await client.of(CustomResourceDefinition).create(crd as CustomResourceDefinition);
  return { cluster, client, clientOf };
}

/** What it prints until everything that is awaited was said, and a moment longer; nothing may be different after it. */
async function observe(format: "text" | "json", awaited: readonly RegExp[]): Promise<string> {
  const before = await everything();
  const args = [
    "--kubeconfig",
    join(folder, "kubeconfig"),
    "--wings",
    "releases",
    "--metrics-addr",
    "0",
    "--sync-period-seconds",
    "1",
  ];
  const port = String(20_000 + (process.pid % 20_000));
  const child: ChildProcess = spawn(
    process.execPath,
    ["packages/cli/src/main.ts", "operator", `--observe=${format}`, ...args, "--health-port", port],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  let printed = "";
  child.stdout?.on("data", (data: Buffer) => (printed += data.toString()));
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  try {
    await until(() => awaited.every((line) => line.test(printed)) || undefined, {
      what: `${awaited.filter((line) => !line.test(printed)).join(", ")} in:\n${printed}`,
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${printed}`);
    });
    // Longer than its sync period: whatever is said in each pass was said twice by then.
    await clock.sleep(3_000);
  } finally {
    child.kill("SIGTERM");
  }
  expect(await ended).toBe(0);
  expect(await everything()).toEqual(before);
  return printed;
}

/** Every object with its version. */
async function everything(): Promise<readonly string[]> {
  const [east] = stage.targets;
  const places = [
    ...[ReleaseManager, Revision].map((kind) => ({ client: stage.delivery, kind })),
    ...[...coreKinds, ...optionalKinds].flatMap((kind) => (east ? [{ client: east.client, kind }] : [])),
  ];
  const lists = await Promise.all(
    places.map(({ client, kind }) => client.of<KubeObject>(kind as typeof Service).list()),
  );
  return lists
    .flatMap(({ items }) => items)
    .map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name} ${metadata.resourceVersion}`);
}

/** The lines of one object in the text. */
function told(text: string, head: string): string | undefined {
  return text
    .split(/\n(?=\S)/)
    .find((block) => block.startsWith(head))
    ?.trimEnd();
}

/** What was said twice but for the time. Clusters come and go while they are found: that is news each time. */
function repeated(text: string): readonly string[] {
  const blocks = text.split(/\n(?=\S)/).map((block) => block.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "").trimEnd());
  return blocks.filter(
    (block, index) => blocks.indexOf(block) !== index && !/stale|unreachable|Connecting/.test(block),
  );
}

const SERVED = /^(?:default\/east): would/m;

test("drift and a new Revision are told object by object, field by field", LONG, async () => {
  const [east] = stage.targets;
  const key = { namespace: stage.place, name: "echo" };
  await east?.client.of(Service).delete(key);
  await east?.client.of(VirtualService).patch(key, "merge", { metadata: { labels: { app: "somebody-else" } } });
  await stage.release("v2");
  const text = await observe("text", [
    /would create Service/,
    /would apply VirtualService/,
    /Revision default\/echo-v2/,
  ]);

  expect(told(text, "default/east: would apply VirtualService echo-production/echo")).toBe(
    [
      "default/east: would apply VirtualService echo-production/echo",
      '    metadata.labels.app: "somebody-else" → "echo"',
    ].join("\n"),
  );
  const service = told(text, "default/east: would create Service echo-production/echo") ?? "";
  expect(service).toContain('    metadata.labels.app: "echo"\n');
  expect(service).toContain('    spec.ports: [{"name":"http","protocol":"TCP","port":80,"targetPort":"http"}]\n');
  expect(told(text, "local: would patch Revision default/echo-v2")).toBe(
    [
      "local: would patch Revision default/echo-v2",
      '    metadata.labels.fleet.picchu.medium.engineering/production: ""',
      '    metadata.labels.picchu.medium.engineering/app: "echo"',
    ].join("\n"),
  );
  expect(told(text, "local: would apply Revision default/echo-v2")).toContain("    status.targets: [{");
  expect(repeated(text)).toEqual([]);
});

test("the same as JSON: one object per line, for jq", LONG, async () => {
  const text = await observe("json", [/"kind":"VirtualService"/, /"kind":"Service"/]);
  const changes = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly kind: string; readonly verb: string; readonly cluster: string });
  expect(changes.find(({ kind }) => kind === "VirtualService")).toEqual({
    cluster: "default/east",
    verb: "apply",
    apiVersion: "networking.istio.io/v1alpha3",
    kind: "VirtualService",
    namespace: "echo-production",
    name: "echo",
    fields: [{ path: "metadata.labels.app", from: "somebody-else", to: "echo" }],
  });
  expect(changes.every((change) => change.cluster !== "" && change.verb !== "")).toBe(true);
});

test("on a fleet that Picchu wrote nothing would change but our own marks", LONG, async () => {
  const [east] = stage.targets;
  const key = { namespace: stage.place, name: "echo" };
  await east?.client.of(VirtualService).patch(key, "merge", { metadata: { labels: { app: "echo" } } });
  await stage.delete("v2");
  await rewriteAs(stage, ["manager/v0.0.0 (linux/amd64) kubernetes/$Format"]);
  const text = await observe("text", [SERVED, /ReplicaSet echo-production\/v1/, /DestinationRule echo-production/]);
  const onEast = text.split(/\n(?=\S)/).filter((block) => block.startsWith("default/east"));
  const objects = onEast.map((block) => (block.split("\n")[0] ?? "").replace("default/east: would ", ""));
  expect(objects.toSorted()).toEqual([
    "apply DestinationRule echo-production/echo",
    "apply Namespace echo-production",
    "apply PodDisruptionBudget echo-production/echo",
    "apply ReplicaSet echo-production/v1",
    "apply Role echo-production/echo-external-metrics",
    "apply RoleBinding echo-production/echo-external-metrics-binding",
    "apply Secret echo-production/service-account-token",
    "apply ServiceAccount echo-production/echo",
    "apply VirtualService echo-production/echo",
    "create Service echo-production/echo",
  ]);
  const fields = onEast
    .filter((block) => !block.includes("would create"))
    .flatMap((block) => block.trimEnd().split("\n").slice(1));
  expect(fields.filter((field) => !/^ {4}metadata\.(?:labels|annotations)\.chaski\.dev\//.test(field))).toEqual([]);
});
