import { expect, test } from "vitest";
import { embeddedFleet } from "./stage/embedded-fleet.ts";
import { newOperator } from "./stage/operator.ts";

test("one Revision is released at 100 % on three clusters", async () => {
  const fleet = await embeddedFleet();
  const stage = fleet.stage();
  const { clock, random, source } = fleet;
  const operator = newOperator({ transport: fleet.delivery.transport }, { clock, random, source });
  await operator.start();
  for (const target of stage.targets) await stage.join(target);
  await stage.release("v1");
  await stage.untilReleased("v1");
  expect(await stage.weights()).toBe("v1 100");
  expect(await stage.replicas()).toBe("v1 2");
  const stopped = operator.stop();
  await clock.advance(60_000);
  await stopped;
  await fleet.close();
}, 60_000);
