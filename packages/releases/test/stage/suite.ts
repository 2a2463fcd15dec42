// What the wing promises, on whatever fleet.
import type { RevisionTarget } from "@chaski/api";
import { describe, expect, test } from "vitest";
import type { FleetStage } from "./fleet-stage.ts";
import type { FleetRecorder } from "./recorder.ts";

export interface Scene {
  readonly stage: FleetStage;
  readonly recorder: FleetRecorder;
  readonly drainMs: number;
  startOperator(): Promise<unknown>;
  /** Ends every operator that was started. */
  stopOperators(): Promise<void>;
}

const ALWAYS = [
  "DestinationRule echo",
  "PodDisruptionBudget echo",
  "Role echo-external-metrics",
  "RoleBinding echo-external-metrics-binding",
  "Secret service-account-token",
  "Service echo",
  "ServiceAccount echo",
  "VirtualService echo",
];

export function fleetSuite(begin: () => Promise<Scene>): void {
  describe("a release over a fleet", () => {
    test("from the first Revision to the end of the ReleaseManager", async () => {
      const scene = await begin();
      await tellStory(scene);
      expect(scene.recorder.broken(scene.stage.place, scene.drainMs)).toEqual([]);
    }, 180_000);

    test.each(VARIETIES)(
      "with $what",
      async (variety) => {
        const scene = await begin();
        await releaseBoth(scene, variety);
      },
      180_000,
    );

    test("a fleet that another operator wrote is taken over without one pod restart", async () => {
      const scene = await begin();
      await takeOver(scene);
      expect(scene.recorder.broken(scene.stage.place, scene.drainMs)).toEqual([]);
    }, 180_000);
  });
}

/** Must be told in order: each part begins where the one before has ended. */
export async function tellStory({ stage, recorder }: Scene): Promise<void> {
  for (const target of stage.targets) await stage.join(target);
  await firstRelease(stage);
  await secondRelease(stage, recorder);
  await failedTest(stage);
  await rollback(stage);
  await garbage(stage);
  // With its namespace everything goes, in whatever order Kubernetes likes.
  await recorder.stop();
  await end(stage);
}

async function firstRelease(stage: FleetStage): Promise<void> {
  await stage.release("v1");
  await stage.untilReleased("v1");
  expect(await stage.weights()).toBe("v1 100");
  expect(await stage.replicas()).toBe("v1 2");
  for (const target of stage.targets) expect(await stage.objectsOn(target)).toEqual(withReplicaSets("v1"));
}

async function secondRelease(stage: FleetStage, recorder: FleetRecorder): Promise<void> {
  await stage.release("v2");
  await stage.untilReleased("v2");
  await stage.untilState("v1", "retired");
  await stage.until("v1 has no pods", async () => (await stage.replicas()) === "v1 0, v2 2");
  expect(await stage.weights()).toBe("v2 100");
  for (const target of stage.targets) {
    expect(recorder.weightsOn(target.name, "v2").filter((weight) => weight > 0)).toEqual([10, 20, 40, 80, 100]);
    expect(await stage.objectsOn(target)).toEqual(withReplicaSets("v1", "v2"));
    await stage.until(`${target.name} has lost the subset`, async () => (await stage.subsetsOn(target)) === "v2");
  }
}

async function failedTest(stage: FleetStage): Promise<void> {
  const externalTest = { enabled: true, started: false, completed: false };
  await stage.release("v3", { externalTest });
  await stage.untilState("v3", "pendingtest");
  await stage.edit("v3", { spec: { targets: [await stage.testedTarget("v3", { started: true })] } });
  await stage.untilState("v3", "testing");
  await stage.edit("v3", {
    spec: { targets: [await stage.testedTarget("v3", { completed: true, succeeded: false })] },
  });
  await stage.untilState("v3", "failed");
  await stage.until("v3 has no pods", async () => (await stage.replicas()) === "v1 0, v2 2, v3 0");
  expect(await stage.weights()).toBe("v2 100");
}

async function rollback(stage: FleetStage): Promise<void> {
  await stage.fail("v2");
  await stage.untilState("v2", "failed");
  await stage.until("v1 has it all", async () => (await stage.weights()) === "v1 100");
  await stage.untilReleased("v1");
  await stage.until("v2 has no pods", async () => (await stage.replicas()) === "v1 2, v2 0, v3 0");
}

async function garbage(stage: FleetStage): Promise<void> {
  await stage.delete("v3");
  await stage.delete("v2");
  await stage.until("only v1 is left", async () => (await stage.replicas()) === "v1 2");
  await stage.until("the others are forgotten", async () => {
    return (await stage.releaseManager())?.status?.revisions?.map(({ tag }) => tag).join() === "v1";
  });
  expect(await stage.weights()).toBe("v1 100");
  for (const target of stage.targets) expect(await stage.objectsOn(target)).toEqual(withReplicaSets("v1"));
}

async function end(stage: FleetStage): Promise<void> {
  await stage.delete("v1");
  await stage.deleteReleaseManager();
  await stage.until("the ReleaseManager is gone", async () => (await stage.releaseManager()) === undefined);
  for (const target of stage.targets) {
    await stage.until(`nothing is left on ${target.name}`, async () => !(await stage.hasNamespaceOn(target)));
    expect(await stage.objectsOn(target)).toEqual([]);
  }
}

interface Variety {
  readonly what: string;
  readonly target: Partial<RevisionTarget>;
  readonly objects: readonly string[];
}

const VARIETIES: readonly Variety[] = [
  {
    what: "an autoscaler",
    target: { scale: { min: 6, default: 6, max: 12, targetCPUUtilizationPercentage: 70 } },
    objects: ["HorizontalPodAutoscaler v1", "HorizontalPodAutoscaler v2"],
  },
  {
    what: "KEDA",
    target: {
      scale: { min: 6, default: 6, max: 6, kedaWorker: { triggers: [{ type: "cpu", metadata: { value: "60" } }] } },
    },
    objects: ["ScaledObject v2", "TriggerAuthentication v2"],
  },
  {
    what: "a worker's queue",
    target: {
      scale: {
        min: 3,
        default: 3,
        max: 3,
        worker: { queueUri: "https://queue.invalid/jobs", targetMessagesPerWorker: 10, maxDisruption: "50%" },
      },
    },
    objects: ["WorkerPodAutoScaler v2"],
  },
  {
    what: "an ambient mesh",
    target: { ambientMesh: true },
    objects: [
      "ConfigMap waypoint-options",
      "Gateway waypoint",
      "HorizontalPodAutoscaler waypoint",
      "PodDisruptionBudget waypoint",
    ],
  },
  {
    what: "objectives and monitors",
    target: {
      serviceMonitors: [{ name: "echo", sloRegex: true, spec: { selector: {}, endpoints: [{ port: "http" }] } }],
      serviceLevelObjectives: [
        {
          name: "availability",
          enabled: true,
          objectivePercentString: "99.9",
          serviceLevelIndicator: { canary: { enabled: false }, totalQuery: "sum(up)", errorQuery: "sum(up == 0)" },
        },
      ],
    },
    objects: ["PrometheusRule echo-slo", "ServiceMonitor echo"],
  },
];

/** Two revisions, one after the other. */
async function releaseBoth({ stage }: Scene, { target, objects }: Variety): Promise<void> {
  for (const cluster of stage.targets) await stage.join(cluster);
  await stage.release("v1", target);
  await stage.untilReleased("v1");
  await stage.release("v2", target);
  await stage.untilReleased("v2");
  await stage.untilState("v1", "retired");
  expect(await stage.weights()).toBe("v2 100");
  for (const cluster of stage.targets)
    expect(await stage.objectsOn(cluster)).toEqual(expect.arrayContaining([...objects]));
  for (const tag of ["v1", "v2"]) await stage.delete(tag);
  await stage.deleteReleaseManager();
  await stage.until("the ReleaseManager is gone", async () => (await stage.releaseManager()) === undefined);
}

/** A Go program's name for itself is its file's; the API server takes what stands before the slash for its manager. */
const PICCHU = ["manager", "picchu", "main"].map((file) => `${file}/v0.0.0 (linux/amd64) kubernetes/$Format`);

/** As Picchu leaves it: plain updates without a manager's name, and nothing of ours. */
async function takeOver(scene: Scene): Promise<void> {
  const { stage } = scene;
  for (const target of stage.targets) await stage.join(target);
  await stage.release("v1");
  await stage.untilReleased("v1");
  const pods = await stage.pods();
  await scene.stopOperators();
  await stage.rewriteAs(PICCHU);
  expect((await stage.foreignFields()).map((line) => line.split(" ").at(-1))).toEqual(
    expect.arrayContaining(["manager", "picchu", "main"]),
  );
  await scene.startOperator();
  await stage.until("everything is ours", async () => (await stage.withoutOwner()).length === 0);
  expect(await stage.pods()).toEqual(pods);
  expect(await stage.foreignFields()).toEqual([]);
  await stage.release("v2");
  await stage.untilReleased("v2");
  expect(await stage.weights()).toBe("v2 100");
}

function withReplicaSets(...tags: readonly string[]): readonly string[] {
  return [...ALWAYS, ...tags.map((tag) => `ReplicaSet ${tag}`)].toSorted();
}
