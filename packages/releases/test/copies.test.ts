import { afterEach, describe } from "vitest";
import { copiesSuite } from "./stage/copies-suite.ts";
import { EmbeddedScene } from "./stage/embedded-scene.ts";

describe("copies on an embedded fleet", () => {
  const scenes: EmbeddedScene[] = [];
  afterEach(async () => {
    for (const scene of scenes.splice(0)) await scene.close();
  });

  copiesSuite(async () => {
    const scene = await EmbeddedScene.open();
    scenes.push(scene);
    const failures: string[] = [];
    await scene.startOperator({ onMirrorFailure: (app, mirror) => void failures.push(`${app} ${mirror}`) });
    return { stage: scene.stage, failures };
  });
});
