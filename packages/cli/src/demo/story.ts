// What happens in the demo, as steps: each waits for the one before to have come about, then does something.
import { Canary, type IncarnationStatus, type ReleaseManager, Revision } from "@chaski/api";
import { Deployment, isTrue } from "@chaski/kube";
import type { Client } from "@chaski/runtime";
import { CANARY, demoCanary, demoDeployment, demoRevision, NAMESPACE } from "./objects.ts";

/** All that the story goes by. */
export interface Scene {
  readonly release: ReleaseManager | undefined;
  readonly canary: Canary | undefined;
  readonly older: Deployment | undefined;
  readonly newer: Deployment | undefined;
}

export interface Stage {
  readonly client: Client;
  readonly clusters: number;
  readonly delayMs: number;
  /** Nobody is there to approve. */
  readonly isUnattended: boolean;
  now(): number;
}

export interface Step {
  /** Told when it begins. */
  readonly news: string;
  readonly begin: (stage: Stage, scene: Scene) => Promise<void>;
  readonly isDone: (scene: Scene) => boolean;
}

export const BAD_TAG = "v3";

export const story: readonly Step[] = [
  {
    news: "v1 is released: nobody has traffic yet, so it takes all of it",
    begin: (stage) => release(stage, "v1"),
    isDone: (scene) => isReleased(scene, "v1"),
  },
  {
    news: "v2 is released step by step: 10, 20, 40, 80, 100 percent, on every cluster",
    begin: (stage) => release(stage, "v2"),
    isDone: (scene) => isReleased(scene, "v2"),
  },
  {
    news: "v3 is bad: a fifth of its answers are errors; the alert fires, and v2 takes over again",
    begin: (stage) => release(stage, BAD_TAG),
    isDone: (scene) =>
      entryOf(scene, BAD_TAG)?.state.current === "failed" && entryOf(scene, "v2")?.currentPercent === 100,
  },
  {
    news: `${CANARY} is a plain Deployment: a Canary releases it in three batches`,
    begin: async ({ client }) => void (await client.of(Deployment).create(demoDeployment())),
    isDone: ({ older }) => (older?.status?.availableReplicas ?? 0) === older?.spec.replicas,
  },
  {
    news: `its first batch waits for your approval: chaski canary approve ${CANARY}`,
    begin: async ({ client }) => void (await client.of(Canary).create(demoCanary())),
    isDone: ({ canary }) => isTrue(canary?.status?.conditions, "Ready"),
  },
];

export function entryOf({ release }: Scene, tag: string): IncarnationStatus | undefined {
  return release?.status?.revisions?.find((entry) => entry.tag === tag);
}

function isReleased(scene: Scene, tag: string): boolean {
  return isTrue(scene.release?.status?.conditions, "Released") && entryOf(scene, tag)?.state.current === "released";
}

async function release(stage: Stage, tag: string): Promise<void> {
  const { client, clusters, delayMs } = stage;
  await client.of(Revision).create(demoRevision(tag, { clusters, delayMs, nowMs: stage.now() }));
}

/** Where nobody is there to do it. */
export async function approveIfPaused({ client }: Stage, { canary }: Scene): Promise<void> {
  const { paused, currentBatch = 1 } = canary?.status ?? {};
  if (!paused || (canary?.spec.currentBatch ?? 0) > currentBatch) return;
  const patch = { spec: { currentBatch: currentBatch + 1 } };
  await client.of(Canary).patch({ namespace: NAMESPACE, name: CANARY }, "merge", patch);
}
