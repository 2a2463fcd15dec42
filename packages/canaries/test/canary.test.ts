import { seededRandom } from "@chaski/clock";
import type { Runtime } from "@chaski/runtime";
import { afterEach, describe } from "vitest";
import { embeddedStage } from "./stage/embedded-stage.ts";
import { newOperator } from "./stage/operator.ts";
import { canarySuite } from "./stage/suite.ts";

describe("on the embedded API server with simulated workloads", () => {
  const running: { runtime: Runtime; stop: () => Promise<void> }[] = [];
  afterEach(async () => {
    for (const { stop } of running.splice(0)) await stop();
  });

  canarySuite(async () => {
    const { clock, cluster, stage } = await embeddedStage();
    const runtime = newOperator({ transport: cluster.transport }, { clock, random: seededRandom(2) });
    await runtime.start();
    const stop = async (): Promise<void> => {
      const stopped = runtime.stop();
      await clock.advance(1_000);
      await stopped;
      await cluster.close();
    };
    running.push({ runtime, stop });
    return stage;
  });
});
