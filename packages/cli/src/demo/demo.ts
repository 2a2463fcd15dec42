// `chaski up`: a cluster in this process, the operator on it, and a release to watch.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Canary } from "@chaski/api";
import { RealClock, systemRandom } from "@chaski/clock";
import { createEmbeddedCluster } from "@chaski/embedded";
import { CustomResourceDefinition, Deployment, isTrue } from "@chaski/kube";
import { compose, VERSION } from "@chaski/operator";
import { type Client, createClient, createRuntime, NotFound, silentLogger, undisputed } from "@chaski/runtime";
import { EXIT } from "../exit.ts";
import { interruption } from "../interruption.ts";
import { CANARY, canaryDefinition, demoCanary, demoDeployment, NAMESPACE, OLDER } from "./objects.ts";
import { NewsLog } from "../screen.ts";
import { describeCanary } from "../views/canary-line.ts";

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
  const log = new NewsLog();
  const deadlineMs = isOnce ? clock.monotonic() + GIVE_UP_MS : Number.POSITIVE_INFINITY;
  using interrupt = interruption();
  await client.of(Deployment).create(demoDeployment());
  while (!interrupt.signal.aborted) {
    const scene = await look(client);
    if (scene.canary) log.tell([...describeCanary(scene.canary).split("\n"), approveCommand]);
    if (isFinished(scene)) return EXIT.ok;
    if (clock.monotonic() > deadlineMs) return giveUp();
    await act(client, scene, isOnce);
    await clock.sleep(FRAME_MS, interrupt.signal).catch(() => undefined);
  }
  return EXIT.ok;
}

/** Starts the release when the older version serves; in a demo without people, approves. */
async function act(client: Client, { canary, older }: Scene, isOnce: boolean): Promise<void> {
  if (canary) return isOnce && canary.status?.paused ? approve(client, canary.status.currentBatch ?? 1) : undefined;
  const isServing = older?.status?.availableReplicas === older?.spec.replicas;
  if (isServing) await client.of(Canary).create(demoCanary());
}

async function approve(client: Client, batch: number): Promise<void> {
  const patch = { spec: { currentBatch: batch + 1 } };
  await client.of(Canary).patch({ namespace: NAMESPACE, name: CANARY }, "merge", patch);
}

function isFinished({ canary }: Scene): boolean {
  return isTrue(canary?.status?.conditions, "Ready");
}

interface Scene {
  readonly canary: Canary | undefined;
  readonly older: Deployment | undefined;
}

async function look(client: Client): Promise<Scene> {
  const [canary, older] = await Promise.all([
    found(client.of(Canary).get({ namespace: NAMESPACE, name: CANARY })),
    found(client.of(Deployment).get({ namespace: NAMESPACE, name: OLDER })),
  ]);
  return { canary, older };
}

function found<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof NotFound) return undefined;
    throw error;
  });
}

function giveUp(): number {
  console.error(`chaski: the demo was not finished within ${GIVE_UP_MS / 1000} s`);
  return EXIT.failed;
}
