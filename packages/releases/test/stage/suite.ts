// What the wing promises, on whatever fleet.
import type { Revision, RevisionTarget } from "@chaski/api";
import { describe, expect, test } from "vitest";
import type { Scene } from "./scene.ts";
import { tellStory } from "./story.ts";
import { takeOver } from "./takeover.ts";

/** A Revision tells its states, the ReleaseManager what becomes of the traffic. */
const TOLD = [
  /^Revision Deploying: v1 is deploying in \S+: /,
  /^Revision Failed: v3 is failed in \S+: /,
  /^Revision Failed: v2 is failed in \S+: /,
  /^ReleaseManager RolledBack: the last traffic has left v2; v1 has it/,
];

/** A shared fleet needs an app of its own where one is left behind. */
export function fleetSuite(begin: (app?: string) => Promise<Scene>): void {
  describe("a release over a fleet", () => {
    test("from the first Revision to the end of the ReleaseManager", async () => {
      const scene = await begin();
      await tellStory(scene);
      expect(scene.recorder.broken(scene.stage.place, scene.drainMs)).toEqual([]);
      for (const told of TOLD) await scene.stage.untilEvent(told);
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
      const scene = await begin("taken");
      await takeOver(scene);
      expect(scene.recorder.broken(scene.stage.place, scene.drainMs)).toEqual([]);
    }, 180_000);
  });
}

/** For a fleet of its own: the release is left in the middle of its ramp. */
export function costSuite(begin: () => Promise<Scene>): void {
  test("one step of the traffic writes the routes, and who reports them: once each, and nothing is read", async () => {
    await oneStep(await begin());
  });
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
  await stage.joinAll();
  await stage.released("v1", target);
  await stage.released("v2", target);
  await stage.untilState("v1", "retired");
  expect(await stage.weights()).toBe("v2 100");
  for (const cluster of stage.targets)
    expect(await stage.objectsOn(cluster)).toEqual(expect.arrayContaining([...objects]));
  for (const tag of ["v1", "v2"]) await stage.delete(tag);
  await stage.deleteReleaseManager();
  await stage.until("the ReleaseManager is gone", async () => (await stage.releaseManager()) === undefined);
}

async function oneStep(scene: Scene): Promise<void> {
  const { stage } = scene;
  await stage.joinAll();
  await stage.released("v1");
  await stage.release("v2", { release: { geometricScaling: { start: 10, factor: 2, delay: "10s" } } });
  const untilSeen = (percent: number): Promise<void> =>
    stage.until(`v2 is seen to have ${percent} %`, async () => {
      const clusters = (await stage.releaseManager())?.status?.clusters ?? [];
      return clusters.every(({ revisions = [] }) =>
        revisions.some((each) => each.tag === "v2" && each.percent === percent),
      );
    });
  await untilSeen(10);
  await stage.pass(SURPLUS_MS);
  const requests = await scene.requestsDuring(async () => {
    await untilSeen(20);
    await stage.until("the Revisions tell it too", async () => {
      const told = await Promise.all(["v1", "v2"].map(async (tag) => percentTold(await stage.revision(tag))));
      return told.join() === "80,20";
    });
    await stage.pass(SURPLUS_MS);
  });
  expect(requests.toSorted()).toEqual([
    // What is decided, and what came of it.
    "patch releasemanagers/status echo-production",
    "patch releasemanagers/status echo-production",
    "patch revisions/status echo-v1",
    "patch revisions/status echo-v2",
    "patch virtualservices echo",
    "patch virtualservices echo",
    "patch virtualservices echo",
  ]);
}

/** A write too many would come by then. */
const SURPLUS_MS = 1_500;

function percentTold(revision: Revision | undefined): number | undefined {
  return revision?.status?.targets?.[0]?.release?.currentPercent;
}
