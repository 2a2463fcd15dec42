import { afterEach, describe } from "vitest";
import { EmbeddedScene } from "./stage/embedded-scene.ts";
import { costSuite, fleetSuite } from "./stage/suite.ts";

describe("on an embedded fleet with simulated workloads", () => {
  let scene: EmbeddedScene | undefined;
  afterEach(() => scene?.close());

  const begin = async (): Promise<EmbeddedScene> => {
    scene = await EmbeddedScene.open();
    await scene.startOperator();
    return scene;
  };
  fleetSuite(begin);
  costSuite(begin);
});
