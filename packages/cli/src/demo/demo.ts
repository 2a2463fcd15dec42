// `chaski up`: a cluster in this process, the operator on it, and a release to watch.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Canary, type Canary as CanaryObject } from "@chaski/api";
import { RealClock, systemRandom } from "@chaski/clock";
import { createEmbeddedCluster } from "@chaski/embedded";
import { CustomResourceDefinition, Deployment, isTrue } from "@chaski/kube";
import { compose, VERSION } from "@chaski/operator";
import { type Client, createClient, createRuntime, NotFound, silentLogger, undisputed } from "@chaski/runtime";
import { EXIT } from "../exit.ts";
import { CANARY, canaryDefinition, demoCanary, demoDeployment, NAMESPACE, NEWER, OLDER } from "./objects.ts";
import { drawScene, type Scene } from "./scene.ts";
import { screenOn } from "./screen.ts";

export interface DemoOptions {
  readonly isOnce: boolean;
}

const FRAME_MS = 100;
const GIVE_UP_MS = 120_000;
const POD_READY_AFTER_MS = 800;

export async function runDemo({ isOnce }: DemoOptions): Promise<number> {
  const clock = new RealClock();
  const cluster = await createEmbeddedCluster({ clock, workloads: { nodes: 3, readyAfterMs: POD_READY_AFTER_MS } });
  const client = createClient({ cluster: "demo", transport: cluster.transport, clock, random: systemRandom });
  const { kubeconfig } = await cluster.listen();
  const folder = await mkdtemp(join(tmpdir(), "chaski-"));
  const file = join(folder, "kubeconfig");
  await writeFile(file, kubeconfig, { mode: 0o600 });
  await client.of(CustomResourceDefinition).create(canaryDefinition());
  const runtime = createRuntime({
    name: "chaski",
    instance: "demo",
    version: VERSION,
    delivery: { name: "demo", transport: cluster.transport },
    controllers: compose({ wings: ["canaries"], concurrentCanaries: 2 }).controllers,
    clock,
    random: systemRandom,
    log: silentLogger,
    leadership: undisputed,
  });
  await runtime.start();
  try {
    console.log(
      `A cluster runs in this process. Look at it with\n  kubectl --kubeconfig ${file} get canaries,deployments,pods\n`,
    );
    return await play(client, clock, {
      isOnce,
      approveCommand: `npx chaski canary approve ${CANARY} --kubeconfig ${file}`,
    });
  } finally {
    await runtime.stop();
    await cluster.close();
    await rm(folder, { recursive: true });
  }
}

interface Playing extends DemoOptions {
  readonly approveCommand: string;
}

async function play(client: Client, clock: RealClock, { isOnce, approveCommand }: Playing): Promise<number> {
  const screen = screenOn(process.stdout);
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  const startedMs = clock.monotonic();
  await client.of(Deployment).create(demoDeployment());
  let isReleasing = false;
  while (!stop.signal.aborted) {
    const scene = await look(client, { approveCommand, columns: screen.columns });
    if (!isReleasing && scene.older?.status?.availableReplicas === scene.older?.spec.replicas) {
      isReleasing = true;
      await client.of(Canary).create(demoCanary());
    }
    screen.show(drawScene(scene));
    if (scene.canary && isTrue(scene.canary.status?.conditions, "Ready")) break;
    if (isOnce && scene.canary?.status?.paused) await approve(client, scene.canary);
    if (isOnce && clock.monotonic() - startedMs > GIVE_UP_MS) return giveUp();
    await clock.sleep(FRAME_MS, stop.signal).catch(() => undefined);
  }
  return EXIT.ok;
}

async function look(client: Client, view: Pick<Scene, "approveCommand" | "columns">): Promise<Scene> {
  const find = <T>(answer: Promise<T>): Promise<T | undefined> =>
    answer.catch((error: unknown) => {
      if (error instanceof NotFound) return undefined;
      throw error;
    });
  const [canary, older, newer] = await Promise.all([
    find(client.of(Canary).get({ namespace: NAMESPACE, name: CANARY })),
    find(client.of(Deployment).get({ namespace: NAMESPACE, name: OLDER })),
    find(client.of(Deployment).get({ namespace: NAMESPACE, name: NEWER })),
  ]);
  return { canary, older, newer, ...view };
}

async function approve(client: Client, { status }: CanaryObject): Promise<void> {
  const currentBatch = (status?.currentBatch ?? 1) + 1;
  await client.of(Canary).patch({ namespace: NAMESPACE, name: CANARY }, "merge", { spec: { currentBatch } });
}

function giveUp(): number {
  console.error(`chaski: the demo was not finished within ${GIVE_UP_MS / 1000} s`);
  return EXIT.failed;
}
