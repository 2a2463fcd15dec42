// §6.9: a ramp via the ReplicaSet, with every autoscaler, and its failure.
import { releaseKeys, type RevisionTarget } from "@chaski/api";
import { ReplicaSet } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { type Begin, type FeatureScene, LONG, onEach } from "./feature-scene.ts";
import { TARGET, type FleetStage } from "./fleet-stage.ts";
import { type Bounds, boundsOf, playAutoscalers } from "./played-autoscalers.ts";

const BY_REPLICAS = { [releaseKeys.rampModeAnnotation(TARGET)]: "replicaset" };
const SIZE = { min: 12, default: 12, max: 24 };

interface Autoscaled {
  readonly what: string;
  readonly scale: RevisionTarget["scale"];
  readonly kinds: readonly string[];
  /** Whether it stays with a revision that is scaled to nothing. */
  readonly stays: boolean;
}

const AUTOSCALERS: readonly Autoscaled[] = [
  {
    what: "an HPA",
    scale: { ...SIZE, targetCPUUtilizationPercentage: 70 },
    kinds: ["HorizontalPodAutoscaler"],
    stays: true,
  },
  {
    what: "KEDA",
    scale: { ...SIZE, kedaWorker: { triggers: [{ type: "cpu", metadata: { value: "60" } }] } },
    kinds: ["ScaledObject", "TriggerAuthentication"],
    stays: false,
  },
  {
    what: "WPA",
    scale: {
      ...SIZE,
      worker: { queueUri: "https://queue.invalid/jobs", targetMessagesPerWorker: 10, maxDisruption: "50%" },
    },
    kinds: ["WorkerPodAutoScaler"],
    stays: false,
  },
];

export function rampSuite(begin: Begin): void {
  describe("§6.9: a ramp by replicas with", () => {
    test.for(AUTOSCALERS)("$what: none on the way, all of its range in the end", LONG, async (autoscaled, context) => {
      const scene = await begin(context.onTestFinished);
      await halfWay(scene.stage, autoscaled);
      await annotateByHand(scene.stage);
      await scene.stage.edit("v2", { spec: { targets: [targetOf(autoscaled, 100)] } });
      await end(scene, autoscaled);
    });

    test.for(AUTOSCALERS)(
      "$what: its failure leaves no mark, no autoscaler and no gap",
      LONG,
      async (autoscaled, context) => {
        const scene = await begin(context.onTestFinished);
        await halfWay(scene.stage, autoscaled);
        await failure(scene, autoscaled);
        await scene.stage.edit("v2", { spec: { failed: false } });
        await untilHalfWay(scene.stage);
        await expectRamp(scene.stage, autoscaled);
        expect(scene.broken()).toEqual([]);
      },
    );
  });
}

/** `max` holds it there for as long as the test looks. */
function targetOf({ scale }: Autoscaled, max: number): RevisionTarget {
  return {
    name: TARGET,
    fleet: "production",
    scale,
    ports: [{ name: "http", mode: "private", port: 80, containerPort: 8080, ingresses: ["private"] }],
    defaultIngressPorts: { private: "http" },
    release: {
      eligible: true,
      max,
      scalingStrategy: "geometric",
      geometricScaling: { start: 50, factor: 2, delay: "1s" },
      schedule: "always",
    },
  };
}

async function halfWay(stage: FleetStage, autoscaled: Autoscaled): Promise<void> {
  await stage.joinAll();
  await stage.release("v1", targetOf(autoscaled, 100));
  await stage.untilReleased("v1");
  await untilScaled(stage, "v1", "v1 4");
  await stage.release("v2", targetOf(autoscaled, 50), {}, { annotations: BY_REPLICAS });
  await untilHalfWay(stage);
  await expectRamp(stage, autoscaled);
}

/** D-25: a worker's queue would ask for one pod, whatever the traffic. */
async function untilHalfWay(stage: FleetStage): Promise<void> {
  await stage.until("v2 has half of the traffic", async () => {
    await playAutoscalers(stage, "v2");
    return (await stage.weights()) === "v1 50, v2 50";
  });
}

async function expectRamp(stage: FleetStage, { kinds }: Autoscaled): Promise<void> {
  expect(await stage.replicas()).toBe("v1 4, v2 2");
  expect(await marksOf(stage)).toEqual(["true", "true", "true"]);
  for (const objects of await onEach(stage, (target) => stage.objectsOn(target)))
    expect(kinds.filter((kind) => objects.includes(`${kind} v2`))).toEqual([]);
}

async function annotateByHand({ targets, place }: FleetStage): Promise<void> {
  const patch = { metadata: { annotations: { "example.com/by-hand": "yes" } } };
  for (const { client } of targets) await client.of(ReplicaSet).patch({ namespace: place, name: "v2" }, "merge", patch);
}

/** §6.9-7, D-21, D-27: 12 to 24 pods over three clusters, whatever its share was. */
async function end({ stage, broken }: FeatureScene, { kinds, stays }: Autoscaled): Promise<void> {
  await stage.untilReleased("v2");
  const full: Bounds = { min: 4, max: 8 };
  await stage.until("its autoscaler has the whole range", async () => {
    const bounds = await onEach(stage, ({ client }) => boundsOf(client, stage.place, "v2"));
    return bounds.every((each) => each?.min === full.min && each.max === full.max);
  });
  expect(await marksOf(stage)).toEqual([undefined, undefined, undefined]);
  const kept = await onEach(stage, async ({ client }) => {
    const { metadata } = await client.of(ReplicaSet).get({ namespace: stage.place, name: "v2" });
    return metadata.annotations?.["example.com/by-hand"];
  });
  expect(kept).toEqual(["yes", "yes", "yes"]);
  await stage.untilState("v1", "retired");
  await untilScaled(stage, "v2", "v1 0, v2 4");
  for (const objects of await onEach(stage, (target) => stage.objectsOn(target))) {
    expect(objects).toEqual(expect.arrayContaining(kinds.map((kind) => `${kind} v2`)));
    expect(kinds.some((kind) => objects.includes(`${kind} v1`))).toBe(stays);
  }
  expect(broken()).toEqual([]);
}

/** §6.9-10, D-29: the mark goes first, the pods stay as long as they have traffic, then all goes the usual way. */
async function failure({ stage }: FeatureScene, { kinds }: Autoscaled): Promise<void> {
  await stage.fail("v2");
  await stage.until("the mark is gone while its pods are there", async () => {
    const [marks, replicas] = [await marksOf(stage), await stage.replicas()];
    return marks.every((mark) => mark === undefined) && replicas === "v1 4, v2 2";
  });
  await stage.untilState("v2", "failed");
  await stage.until("its pods are gone", async () => (await stage.replicas()) === "v1 4, v2 0");
  expect(await stage.weights()).toBe("v1 100");
  expect(await marksOf(stage)).toEqual([undefined, undefined, undefined]);
  for (const objects of await onEach(stage, (target) => stage.objectsOn(target)))
    expect(kinds.filter((kind) => objects.includes(`${kind} v2`))).toEqual([]);
}

async function untilScaled(stage: FleetStage, tag: string, replicas: string): Promise<void> {
  await stage.until(`pods are ${replicas}`, async () => {
    await playAutoscalers(stage, tag);
    return (await stage.replicas()) === replicas;
  });
  await stage.until("they are ready", async () => {
    const entry = await stage.entry(tag);
    return entry?.scale?.Current === 12;
  });
}

async function marksOf(stage: FleetStage): Promise<readonly (string | undefined)[]> {
  return await onEach(stage, async ({ client }) => {
    const { metadata } = await client.of(ReplicaSet).get({ namespace: stage.place, name: "v2" });
    return metadata.annotations?.[releaseKeys.annotations.ramping];
  });
}
