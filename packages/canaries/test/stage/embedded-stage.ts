import { canaryResource, crdOf } from "@chaski/api";
import { seededRandom, VirtualClock } from "@chaski/clock";
import { createEmbeddedCluster, type EmbeddedCluster } from "@chaski/embedded";
import { CustomResourceDefinition } from "@chaski/kube";
import { createClient } from "@chaski/runtime";
import { type Platform, Stage } from "./stage.ts";

export interface EmbeddedStage {
  readonly clock: VirtualClock;
  readonly cluster: EmbeddedCluster;
  readonly stage: Stage;
}

const STEP_MS = 200;
const LIMIT_MS = 300_000;

/** A cluster of its own in the process, whose time stands still unless a test waits for something. */
export async function embeddedStage(): Promise<EmbeddedStage> {
  const clock = new VirtualClock();
  const random = seededRandom(1);
  const cluster = await createEmbeddedCluster({ clock, random, workloads: { nodes: 2, readyAfterMs: 1_000 } });
  const client = createClient({ cluster: "test", transport: cluster.transport, clock, random });
  await client.of(CustomResourceDefinition).create(crdOf(canaryResource) as unknown as CustomResourceDefinition);
  const platform: Platform = {
    client,
    pass: (ms) => clock.advance(ms),
    until: async (what, holds) => {
      const limitMs = clock.now() + LIMIT_MS;
      while (!(await holds())) {
        if (clock.now() > limitMs) throw new Error(`${what}: not within ${LIMIT_MS} ms`);
        await clock.advance(STEP_MS);
      }
    },
  };
  return { clock, cluster, stage: new Stage(platform, "default") };
}
