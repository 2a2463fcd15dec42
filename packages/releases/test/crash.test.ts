// The operator dies after every single write of a release and its roll-back, each write point once.
import type { Transport } from "@chaski/kube";
import { expect, test } from "vitest";
import type { Wrap } from "./stage/embedded-fleet.ts";
import { EmbeddedScene } from "./stage/embedded-scene.ts";
import type { FleetStage } from "./stage/fleet-stage.ts";

/** So many writes get through, to whichever cluster, and then nothing: the last one without an answer. */
function dyingAfter(writes: number): { readonly wrap: Wrap; count(): number } {
  let count = 0;
  const never = new Promise<never>(() => {});
  const wrap: Wrap = (transport) => {
    const send: Transport["send"] = async (request) => {
      if (count >= writes) return never;
      if (request.method === "GET" || isEvent(request.path)) return transport.send(request);
      count++;
      const isLast = count === writes;
      const answer = await transport.send(request);
      return isLast ? never : answer;
    };
    return { send, close: () => transport.close() };
  };
  return { wrap, count: () => count };
}

/** Events tell of what was done; nothing depends on them. */
function isEvent(path: string): boolean {
  return /\/events(\/|\?|$)/.test(path);
}

interface Ending {
  readonly end: unknown;
  readonly broken: readonly string[];
  readonly writes: number;
}

async function storyWithCrashAfter(writes: number): Promise<Ending> {
  const scene = await EmbeddedScene.open();
  const dying = dyingAfter(writes);
  await scene.startOperator({ wrap: dying.wrap });
  if (Number.isFinite(writes)) void takeOver(scene, () => dying.count() >= writes);
  await tellStory(scene.stage);
  const ending = { end: await endOf(scene.stage), broken: scene.broken(), writes: dying.count() };
  await scene.close();
  return ending;
}

/** Another operator begins some seconds after the first one has died. */
async function takeOver(scene: EmbeddedScene, hasDied: () => boolean): Promise<void> {
  const { clock } = scene.fleet;
  while (!hasDied()) await clock.sleep(200);
  await clock.sleep(5_000);
  await scene.startOperator();
}

async function tellStory(stage: FleetStage): Promise<void> {
  for (const target of stage.targets) await stage.join(target);
  await stage.release("v1");
  await stage.untilReleased("v1");
  await stage.release("v2");
  await stage.untilReleased("v2");
  await stage.untilState("v1", "retired");
  await stage.fail("v2");
  await stage.untilReleased("v1");
  await stage.until("v2 has no pods", async () => (await stage.replicas()) === "v1 2, v2 0");
  await stage.delete("v2");
  await stage.until("only v1 is left", async () => (await stage.replicas()) === "v1 2");
  await stage.until("v2 is forgotten", async () => (await stage.entry("v2")) === undefined);
}

async function endOf(stage: FleetStage): Promise<unknown> {
  const objects = await Promise.all(stage.targets.map((target) => stage.objectsOn(target)));
  return { objects, weights: await stage.weights(), replicas: await stage.replicas() };
}

/** A sample; every write point with `CHASKI_CRASH_EVERY=1`, in ten minutes. */
const { CHASKI_CRASH_FROM: FROM = "1", CHASKI_CRASH_EVERY: EVERY = "41" } = process.env;

test("a crash after any write leads to the same end, and no rule is broken on the way", async () => {
  const undisturbed = await storyWithCrashAfter(Number.POSITIVE_INFINITY);
  expect(undisturbed.broken).toEqual([]);
  expect(undisturbed.writes).toBeGreaterThan(50);
  const others: Record<number, unknown> = {};
  for (let writes = Number(FROM); writes <= undisturbed.writes; writes += Number(EVERY)) {
    const { end, broken } = await storyWithCrashAfter(writes);
    if (broken.length > 0 || JSON.stringify(end) !== JSON.stringify(undisturbed.end)) others[writes] = { end, broken };
  }
  expect(others).toEqual({});
}, 7_200_000);
