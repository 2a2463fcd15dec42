// Fleets and targets of other shapes, on an embedded fleet.
import { afterEach, beforeEach, expect, test } from "vitest";
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

test(
  "a cluster that is disabled leaves, and comes back as it was left",
  async () => {
    await stage.joinAll();
    await stage.released("v1");
    await stage.editCluster("west", { enabled: false });
    await stage.until("told", async () => ((await stage.clusterCondition("west", "Ready")) ?? "").includes("Disabled"));
    await stage.released("v2");
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
