// All that needs a fleet of real clusters and no servers that come and go: they share one, and one operator.
import { systemRandom } from "@chaski/clock";
import type { Runtime } from "@chaski/runtime";
import { afterAll, beforeAll, describe } from "vitest";
import { copiesSuite } from "./stage/copies-suite.ts";
import { faultsSuite } from "./stage/faults-suite.ts";
import { type Begin, NO_SYNC_MS } from "./stage/feature-scene.ts";
import { FleetStage } from "./stage/fleet-stage.ts";
import { DRAIN_MS, newOperator } from "./stage/operator.ts";
import { passCounter } from "./stage/pass-counter.ts";
import { rampSuite } from "./stage/ramp-suite.ts";
import { deliveryLink, type RealFleet, realFleet } from "./stage/real-fleet.ts";
import { FleetRecorder } from "./stage/recorder.ts";
import { shapesSuite } from "./stage/shapes-suite.ts";
import { wakeSuite } from "./stage/wake-suite.ts";

let fleet: RealFleet;
let recorder: FleetRecorder;
let operator: Runtime;
// Target clusters are shared: each scene has an app of its own.
let scenes = 0;
const { passes, recording } = passCounter();
const failures: string[] = [];

beforeAll(async () => {
  fleet = await realFleet();
  const time = { clock: fleet.clock, random: systemRandom };
  recorder = new FleetRecorder(fleet.targets, time);
  await recorder.ready();
  const onMirrorFailure = (app: string, mirror: string): void => void failures.push(`${app} ${mirror}`);
  const options = { ...time, recordings: [recording], syncPeriodMs: NO_SYNC_MS, onMirrorFailure };
  operator = newOperator(deliveryLink(fleet.connection), options);
  await operator.start();
}, 300_000);

afterAll(async () => {
  await operator?.stop();
  await recorder?.stop();
  await fleet?.stop();
});

async function newStage(): Promise<FleetStage> {
  const namespace = await fleet.plane.createNamespace();
  return new FleetStage(fleet.platform, { app: `echo${++scenes}`, namespace });
}

const begin: Begin = async (atEnd) => {
  const stage = await newStage();
  atEnd(() => stage.leave());
  return {
    stage,
    platform: fleet.platform,
    passes,
    broken: () => recorder.broken(stage.place, DRAIN_MS),
    newNamespace: () => fleet.plane.createNamespace(),
  };
};

describe("on real API servers, side by side", { concurrent: true }, () => {
  shapesSuite(begin);
  rampSuite(begin);
  faultsSuite(begin);
  wakeSuite(begin);
});

describe("copies on real API servers", () => {
  copiesSuite(async () => ({ stage: await newStage(), failures }));
});
