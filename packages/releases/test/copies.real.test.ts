import { systemRandom } from "@chaski/clock";
import type { Runtime } from "@chaski/runtime";
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { copiesSuite } from "./stage/copies-suite.ts";
import { FleetStage } from "./stage/fleet-stage.ts";
import { newOperator } from "./stage/operator.ts";
import { deliveryLink, type RealFleet, realFleet } from "./stage/real-fleet.ts";

describe("copies on real API servers", () => {
  let fleet: RealFleet;
  let operator: Runtime | undefined;
  // Targets are shared: each scene has an app of its own.
  let scenes = 0;

  beforeAll(async () => {
    fleet = await realFleet();
  }, 300_000);
  afterEach(() => operator?.stop());
  afterAll(() => fleet?.stop());

  copiesSuite(async () => {
    const failures: string[] = [];
    const onMirrorFailure = (app: string, mirror: string): void => void failures.push(`${app} ${mirror}`);
    operator = newOperator(deliveryLink(fleet.connection), {
      clock: fleet.clock,
      random: systemRandom,
      onMirrorFailure,
    });
    await operator.start();
    const namespace = await fleet.plane.createNamespace();
    return { stage: new FleetStage(fleet.platform, { app: `echo${++scenes}`, namespace }), failures };
  });
});
