import { systemRandom } from "@chaski/clock";
import type { Runtime } from "@chaski/runtime";
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { FleetStage } from "./stage/fleet-stage.ts";
import { DRAIN_MS, newOperator } from "./stage/operator.ts";
import { deliveryLink, type RealFleet, realFleet } from "./stage/real-fleet.ts";
import { FleetRecorder } from "./stage/recorder.ts";
import { fleetSuite } from "./stage/suite.ts";

describe("on real API servers with controller managers and KWOK", () => {
  let fleet: RealFleet;
  let operator: Runtime | undefined;
  let recorder: FleetRecorder | undefined;

  beforeAll(async () => {
    fleet = await realFleet();
  }, 300_000);

  afterEach(async () => {
    await operator?.stop();
    await recorder?.stop();
  });

  afterAll(() => fleet?.stop());

  fleetSuite(async () => {
    const time = { clock: fleet.clock, random: systemRandom };
    recorder = new FleetRecorder(fleet.targets, time);
    await recorder.ready();
    operator = newOperator(deliveryLink(fleet.connection), time);
    await operator.start();
    const namespace = await fleet.plane.createNamespace();
    return { stage: new FleetStage(fleet.platform, { app: "echo", namespace }), recorder, drainMs: DRAIN_MS };
  });
});
