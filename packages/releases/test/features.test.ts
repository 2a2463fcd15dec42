import { Namespace } from "@chaski/kube";
import { describe } from "vitest";
import { EmbeddedScene } from "./stage/embedded-scene.ts";
import { faultsSuite } from "./stage/faults-suite.ts";
import { type Begin, NO_SYNC_MS } from "./stage/feature-scene.ts";
import { passCounter } from "./stage/pass-counter.ts";
import { rampSuite } from "./stage/ramp-suite.ts";
import { shapesSuite } from "./stage/shapes-suite.ts";
import { wakeSuite } from "./stage/wake-suite.ts";

const begin: Begin = async (atEnd) => {
  const scene = await EmbeddedScene.open();
  atEnd(() => scene.close());
  const { passes, recording } = passCounter();
  await scene.startOperator({ recordings: [recording], syncPeriodMs: NO_SYNC_MS });
  const { platform } = scene.fleet;
  return {
    stage: scene.stage,
    platform,
    passes,
    broken: () => scene.broken(),
    newNamespace: async () => {
      const metadata = { name: "elsewhere" };
      await platform.delivery.of(Namespace).create({ apiVersion: "v1", kind: "Namespace", metadata });
      return metadata.name;
    },
  };
};

describe("on an embedded fleet", () => {
  shapesSuite(begin);
  rampSuite(begin);
  faultsSuite(begin);
  wakeSuite(begin);
});
