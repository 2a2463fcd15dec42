import { afterEach, describe } from "vitest";
import { type EmbeddedFleet, embeddedFleet } from "./stage/embedded-fleet.ts";
import { DRAIN_MS, newOperator } from "./stage/operator.ts";
import { FleetRecorder } from "./stage/recorder.ts";
import { fleetSuite } from "./stage/suite.ts";

describe("on an embedded fleet with simulated workloads", () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  fleetSuite(async () => {
    const fleet = await embeddedFleet();
    const { clock, random, source, targets } = fleet;
    const recorder = new FleetRecorder(targets, { clock, random });
    await recorder.ready();
    const operator = newOperator({ transport: fleet.delivery.transport }, { clock, random, source });
    await operator.start();
    ends.push(() => endOf(fleet, recorder, operator));
    return { stage: fleet.stage(), recorder, drainMs: DRAIN_MS };
  });
});

async function endOf(
  fleet: EmbeddedFleet,
  recorder: FleetRecorder,
  operator: { stop(): Promise<void> },
): Promise<void> {
  const stopped = Promise.all([operator.stop(), recorder.stop()]);
  await fleet.clock.advance(60_000);
  await stopped;
  await fleet.close();
}
