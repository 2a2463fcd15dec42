// Pods are asked about while they are late, and at no other time.
import type { PodBehaviour } from "@chaski/embedded";
import { afterEach, expect, test } from "vitest";
import { EmbeddedScene } from "./stage/embedded-scene.ts";

let scene: EmbeddedScene | undefined;
afterEach(async () => {
  await scene?.close();
});

test("nobody lists pods that become ready in time; those of a missing image are listed until they start", async () => {
  const behaviour: Record<string, PodBehaviour> = {};
  const opened = await EmbeddedScene.open({ rules: (cluster) => behaviour[cluster] });
  scene = opened;
  const { stage } = opened;
  const requests = opened.listenToOperators();
  const lists = (): number => requests.filter((request) => request.includes("/pods?")).length;
  await opened.startOperator();
  await stage.joinAll();
  await stage.released("v1");
  expect(lists()).toBe(0);

  behaviour["west"] = { isImageMissing: true };
  await stage.release("v2");
  await stage.pass(5 * 60_000);
  expect(await stage.closedGates()).toContainEqual(
    "PodsStart default/west 2 of 2 pods of v2 on cluster default/west can't pull image registry.invalid/echo:v2: not found",
  );
  expect(lists()).toBeGreaterThan(2);
  expect(lists()).toBeLessThan(10);

  delete behaviour["west"];
  await stage.untilReleased("v2");
  expect((await stage.closedGates()).join()).not.toContain("PodsStart");
  const listed = lists();
  await stage.pass(10 * 60_000);
  expect(lists()).toBe(listed);
}, 60_000);
