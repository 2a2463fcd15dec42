// Fleets and targets of other shapes, on an embedded fleet.
import { ReplicaSet } from "@chaski/kube";
import { releaseKeys } from "@chaski/api";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EmbeddedScene } from "./stage/embedded-scene.ts";
import type { FleetStage } from "./stage/fleet-stage.ts";

const LONG_MS = 120_000;
let scene: EmbeddedScene;
let stage: FleetStage;

beforeEach(async () => {
  scene = await EmbeddedScene.open();
  stage = scene.stage;
  await scene.startOperator();
});
afterEach(() => scene.close());

async function join(changes: Readonly<Record<string, Parameters<FleetStage["join"]>[1]>>): Promise<void> {
  for (const target of stage.targets) await stage.join(target, changes[target.name]);
}

async function replicas(): Promise<readonly string[]> {
  return await Promise.all(stage.targets.map((target) => stage.replicasOn(target)));
}

test(
  "a hot standby gets every object and no say",
  async () => {
    await join({ west: { hotStandby: true } });
    scene.fleet.targets.find(({ name }) => name === "west")?.line.cut();
    await stage.release("v1");
    await stage.untilReleased("v1");
    expect(await replicas()).toEqual(["v1 3", "v1 3", "none"]);
    scene.fleet.targets.find(({ name }) => name === "west")?.line.mend();
    await stage.until("the standby follows", async () => (await stage.weights()) === "v1 100");
    expect(await replicas()).toEqual(["v1 3", "v1 3", "v1 3"]);
  },
  LONG_MS,
);

test(
  "clusters of unequal size get their share",
  async () => {
    await join({ east: { scalingFactorString: "2.0" }, west: { scalingFactorString: "0.5" } });
    await stage.release("v1");
    await stage.untilReleased("v1");
    expect(await replicas()).toEqual(["v1 4", "v1 2", "v1 1"]);
  },
  LONG_MS,
);

test(
  "D-61: an event-driven revision runs nowhere that disables events, and is released all the same",
  async () => {
    await join({ west: { disableEventDriven: true } });
    await stage.release("v1", {}, { eventDriven: true });
    await stage.untilReleased("v1");
    expect(await replicas()).toEqual(["v1 2", "v1 2", "v1 0"]);
  },
  LONG_MS,
);

test(
  "a cluster that is disabled leaves, and comes back as it was left",
  async () => {
    await join({});
    await stage.release("v1");
    await stage.untilReleased("v1");
    await stage.editCluster("west", { enabled: false });
    await stage.until("told", async () => ((await stage.clusterCondition("west", "Ready")) ?? "").includes("Disabled"));
    await stage.release("v2");
    await stage.untilReleased("v2");
    expect(await Promise.all(stage.targets.map((target) => stage.weightsOn(target)))).toEqual([
      "v2 100",
      "v2 100",
      "v1 100",
    ]);
    await stage.editCluster("west", { enabled: true });
    await stage.until("it follows", async () => (await stage.weights()) === "v2 100");
    expect(scene.broken()).toEqual([]);
  },
  LONG_MS,
);

describe("§6.9: a ramp by replicas", () => {
  const byReplicas = { [releaseKeys.rampModeAnnotation("production")]: "replicaset" };
  const scale = { min: 6, default: 6, max: 12, targetCPUUtilizationPercentage: 70 };

  async function rampingOn(): Promise<readonly (string | undefined)[]> {
    const found = await Promise.all(
      stage.targets.map(({ client }) => client.of(ReplicaSet).get({ namespace: stage.place, name: "v2" })),
    );
    return found.map(({ metadata }) => metadata.annotations?.[releaseKeys.annotations.ramping]);
  }

  test(
    "has no autoscaler on the way, and one when it is released",
    async () => {
      await join({});
      await stage.release("v1", { scale });
      await stage.untilReleased("v1");
      await stage.release("v2", { scale });
      await stage.edit("v2", { metadata: { annotations: byReplicas } });
      await stage.until("it ramps", async () => ((await stage.entry("v2"))?.currentPercent ?? 0) >= 20);
      expect(await rampingOn()).toEqual(["true", "true", "true"]);
      for (const target of stage.targets)
        expect(await stage.objectsOn(target)).not.toContain("HorizontalPodAutoscaler v2");
      await stage.untilReleased("v2");
      await stage.until("the autoscaler is back", async () => {
        const objects = await Promise.all(stage.targets.map((target) => stage.objectsOn(target)));
        return objects.every((each) => each.includes("HorizontalPodAutoscaler v2"));
      });
      expect(await rampingOn()).toEqual([undefined, undefined, undefined]);
      expect(scene.broken()).toEqual([]);
    },
    LONG_MS,
  );

  test(
    "that fails leaves no mark and no autoscaler behind",
    async () => {
      await join({});
      await stage.release("v1", { scale });
      await stage.untilReleased("v1");
      await stage.release("v2", { scale });
      await stage.edit("v2", { metadata: { annotations: byReplicas } });
      await stage.until("it ramps", async () => ((await stage.entry("v2"))?.currentPercent ?? 0) >= 20);
      await stage.fail("v2");
      await stage.untilState("v2", "failed");
      await stage.until("v1 has it all", async () => (await stage.weights()) === "v1 100");
      expect(await rampingOn()).toEqual([undefined, undefined, undefined]);
      for (const target of stage.targets)
        expect(await stage.objectsOn(target)).not.toContain("HorizontalPodAutoscaler v2");
      expect(scene.broken()).toEqual([]);
    },
    LONG_MS,
  );
});
